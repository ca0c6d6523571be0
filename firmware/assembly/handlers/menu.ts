import { FIRMWARE_VERSION } from '../../../protocol/commands';
import { BOTH } from '../screen/flow';
import { drawMenuPage, MENU_READY, MENU_UNKNOWN_CHAINS, nextMenuPage } from '../screen/menu';
import { session } from '../session';
import { refusesUnknownChains, toggleUnknownChains } from './settings';

/** Shows the first page of the idle menu. */
export function showMenu(): void {
  session.menuPage = MENU_READY;
  drawMenu();
}

/** Acts on a press while no review is on the screen. */
export function pressInMenu(button: i32): void {
  if (session.menuPage === MENU_UNKNOWN_CHAINS && button === BOTH) toggleUnknownChains();
  session.menuPage = nextMenuPage(session.menuPage, button);
  drawMenu();
}

function drawMenu(): void {
  drawMenuPage(session.menuPage, FIRMWARE_VERSION, refusesUnknownChains());
}
