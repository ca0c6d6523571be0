import { html } from '@zbc-signer/emulator/report';

test('markup escapes every value except nested markup', () => {
  expect(html`<p title="${'"\''}">${['<', html`<b>${'&'}</b>`, 1]}</p>`.text).toBe(
    '<p title="&quot;&#39;">&lt;<b>&amp;</b>1</p>',
  );
});
