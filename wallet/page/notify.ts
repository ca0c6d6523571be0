/** Whether the browser shows notifications of this page, or whether it can ask its user. */
export function notificationState(): NotificationPermission | 'none' {
  return 'Notification' in globalThis ? Notification.permission : 'none';
}

/** Notifies a user who has another tab in front, if notifications are allowed. */
export function notify(state: string, what: string): void {
  if (!document.hidden || notificationState() !== 'granted') return;
  const title = `${state} · ${document.title.split(' · ').at(-1)}`;
  try {
    const shown = new Notification(title, { body: what, tag: 'zbc-wallet' });
    shown.onclick = () => window.focus();
  } catch {
    // On phones, browsers let only service workers show notifications.
  }
}
