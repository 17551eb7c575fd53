/** Fits: those that are under way, those that were, and a new one. */

import type { Session } from "../state/session.ts";
import { look, view } from "../state/view.ts";
import { FitPanel } from "./FitPanel.tsx";
import { NewFit } from "./NewFit.tsx";

export function TrainingView({ session }: { readonly session: Session }) {
  const fits = session.fits.value;
  const shown = fits.find(({ id }) => id === view.value.fit);
  return (
    <div class="training">
      {fits.length > 0 && (
        <ul class="fits" aria-label="Fits">
          {fits.map(({ id, name, state }) => (
            <li key={id}>
              <button type="button" aria-pressed={id === shown?.id} onClick={() => look({ fit: id }, true)}>
                {name} <span class={`state ${state}`}>{state}</span>
              </button>
            </li>
          ))}
          {shown && (
            <li>
              <button type="button" onClick={() => look({ fit: "" }, true)}>
                + New
              </button>
            </li>
          )}
        </ul>
      )}
      {shown ? (
        <FitPanel key={shown.id} session={session} fit={shown} />
      ) : session.server.value?.canFit === false ? (
        <p class="note">This server shows runs and starts none: it has no folder to write to.</p>
      ) : (
        <NewFit session={session} />
      )}
    </div>
  );
}
