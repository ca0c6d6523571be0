import { FIRMWARE_VERSION } from '../../../protocol/src/commands';
import { quit } from '../hal';
import { BOTH } from '../screen/flow';
import {
  drawCounterPage,
  drawMenuPage,
  MENU_BACK,
  MENU_CONTACTS_ONLY,
  MENU_COUNTER,
  MENU_DETAILS,
  MENU_QUIT,
  MENU_READY,
  MENU_SETTINGS,
  MENU_UNKNOWN_CHAINS,
  MENU_VERSION,
  nextMenuPage,
} from '../screen/menu';
import { menu } from '../session';
import { isLocked } from './key';
import {
  paysContactsOnly,
  refusesUnknownChains,
  showsDetails,
  toggleContactsOnly,
  toggleDetails,
  toggleUnknownChains,
} from './settings';

/** Shows the first page of the idle menu. */
export function showMenu(): void {
  menu.page = MENU_READY;
  drawMenu();
}

/** Acts on a press while no review is on the screen. */
export function pressInMenu(button: i32): void {
  if (button === BOTH && menu.page === MENU_UNKNOWN_CHAINS) toggleUnknownChains();
  if (button === BOTH && menu.page === MENU_DETAILS) toggleDetails();
  if (button === BOTH && menu.page === MENU_CONTACTS_ONLY) toggleContactsOnly();
  if (button === BOTH && menu.page === MENU_QUIT) quit();
  menu.page = nextMenuPage(menu.page, button, lastPage(), hasCounter());
  drawMenu();
}

/**
 * Returns the last page of the idle menu. The page of the security counter exists only if the platform has a
 * counter. The page that leads to the keystore's menu exists only if the platform has a keystore.
 */
function lastPage(): i32 {
  if (menu.canQuit) return MENU_QUIT;
  return hasCounter() ? MENU_COUNTER : MENU_VERSION;
}

function hasCounter(): bool {
  return menu.securityCounter !== 0;
}

function drawMenu(): void {
  const page = menu.page;
  if (page === MENU_READY) drawLines('ZBC Signer', isLocked() ? 'is locked' : 'is ready');
  else if (page === MENU_SETTINGS) drawLines('Settings', menu.settingsReset ? 'reset to defaults' : '');
  else if (page === MENU_VERSION) drawLines('Version', FIRMWARE_VERSION);
  else if (page === MENU_COUNTER) drawCounterPage(menu.securityCounter, lastPage());
  else if (page === MENU_QUIT) drawLines('Quit', 'press both');
  else if (page === MENU_UNKNOWN_CHAINS)
    drawLines('Unknown chains', refusesUnknownChains() ? 'refused' : 'allowed');
  else if (page === MENU_DETAILS) drawLines('Details', showsDetails() ? 'shown' : 'hidden');
  else if (page === MENU_CONTACTS_ONLY) drawLines('Contacts only', paysContactsOnly() ? 'Yes' : 'No');
  else if (page === MENU_BACK) drawLines('Back', '');
  else unreachable();
}

function drawLines(upper: string, lower: string): void {
  drawMenuPage(menu.page, upper, lower, lastPage());
}
