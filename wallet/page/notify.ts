/** Whether the browser shows notifications of this page; `none` if it has no notifications. */
export function notificationState(): NotificationPermission | 'none' {
  return 'Notification' in globalThis ? Notification.permission : 'none';
}

/** Shows a notification if this tab is hidden and the user has allowed notifications. */
export function notify(state: string, what: string): void {
  if (!document.hidden || notificationState() !== 'granted') return;
  const title = `${state} · ${document.title.split(' · ').at(-1)}`;
  try {
    const shown = new Notification(title, { body: what, tag: 'zbc-wallet' });
    shown.onclick = () => window.focus();
  } catch {
    // On phones, only service workers can show notifications.
  }
}
