import { readConfig, type Setting } from './config.js';
import { DEVNET_PORT } from './defaults.js';

// An option overrides a variable, which overrides the configuration file.

export function apiSetting(option: string | undefined): Setting {
  return (
    given('--api', option) ??
    given('ZBC_SIGNER_API', process.env.ZBC_SIGNER_API) ??
    readConfig('api') ?? { value: `http://127.0.0.1:${DEVNET_PORT}`, source: '--api' }
  );
}

export function deviceSetting(option: string | undefined): Setting {
  return (
    given('--device', option) ??
    given('ZBC_SIGNER_DEVICE', process.env.ZBC_SIGNER_DEVICE) ??
    readConfig('device') ?? { value: 'hid', source: '--device' }
  );
}

export function maxFeeSetting(option: string | undefined): Setting | undefined {
  return given('--max-fee', option) ?? readConfig('max_fee');
}

function given(source: string, value: string | undefined): Setting | undefined {
  return value === undefined ? undefined : { value, source };
}
