import { useSignal } from "@preact/signals";
import { counted } from "../numbers";
import { gallery, send } from "../state";
import { opening } from "../ui";
import { Icon } from "./icons";
import { Search } from "./search";

const MANY = 8; // from here on the gallery has a filter

/** The shipped assemblies as cards. */
export function Gallery() {
  const filter = useSignal("");
  const all = gallery.value;
  if (!all) return <p class="hint">The gallery is on its way.</p>;
  const wanted = filter.value.trim().toLowerCase();
  const items = all.filter((i) => `${i.title} ${i.source}`.toLowerCase().includes(wanted));
  return (
    <>
      {all.length > MANY && <Search text={filter} label="Filter assemblies" />}
      <ul class="gallery">
        {items.map((item) => (
          <li key={item.source}>
            <button
              type="button"
              class="card"
              aria-busy={opening.value === item.source}
              onClick={() => send({ type: "open", source: item.source })}
            >
              <span class="card-picture">
                {item.thumbnail ? (
                  <img src={item.thumbnail} alt="" loading="lazy" width={240} height={150} />
                ) : (
                  <Icon name="view" />
                )}
              </span>
              <span class="card-title">{item.title}</span>
              <span class="card-more">
                {counted(item.parts, "part")}, {counted(item.freedoms, "freedom")}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {!items.length && <p class="empty">No assembly has this name.</p>}
    </>
  );
}
