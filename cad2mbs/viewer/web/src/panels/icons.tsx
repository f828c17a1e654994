// Small drawings, 16 units square, in the colour of the text.

const PATHS = {
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  eyeOff: "M2 2l12 12M6 3.8A7 7 0 0 1 8 3.5C12 3.5 14.5 8 14.5 8a12 12 0 0 1-2 2.5M10 12.2a7 7 0 0 1-2 .3C4 12.5 1.5 8 1.5 8a12 12 0 0 1 2.2-2.7",
  isolate: "M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3M6 6h4v4H6Z",
  glass: "M8 1.5l5.5 3v7L8 14.5l-5.5-3v-7ZM2.5 4.5L8 7.5l5.5-3M8 7.5v7",
  ground: "M8 2v6M3 8h10M4 8l-2 3M7 8l-2 3M10 8l-2 3M13 8l-2 3",
  play: "M4.5 2.5v11l9-5.5Z",
  pause: "M4.5 3v10M11.5 3v10",
  reset: "M3 2.5v4h4M3.5 6.5A5.5 5.5 0 1 1 3 10",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  left: "M10 4L6 8l4 4",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  plus: "M8 3v10M3 8h10",
  folder: "M1.5 4.5v8h13v-7H8L6.5 3.5h-5Z",
  file: "M3.5 1.5h6l3 3v10h-9ZM9.5 1.5v3h3",
  save: "M2.5 2.5h9l2 2v9h-11ZM5 2.5v4h5v-4M4.5 13.5V9.5h7v4",
  undo: "M5.5 3L2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6",
  help: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.6 8 9 8 9.8M8 12.5v.2",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z",
  fit: "M2 5.5V2h3.5M10.5 2H14v3.5M14 10.5V14h-3.5M5.5 14H2v-3.5",
  view: "M8 1.5l5.5 3v7L8 14.5l-5.5-3v-7ZM2.5 4.5L8 7.5l5.5-3M8 7.5v7",
  move: "M8 1.5v13M1.5 8h13M6 3.5l2-2 2 2M6 12.5l2 2 2-2M3.5 6l-2 2 2 2M12.5 6l2 2-2 2",
  measure: "M1.5 10.5l9-9 4 4-9 9ZM4 8l1.5 1.5M6.5 5.5L8 7M9 3l1.5 1.5",
  trace: "M2 13C3 4 8 2 10 5s-2 7 4 6M14 11v.1",
  download: "M8 2v8M4.5 6.5L8 10l3.5-3.5M2.5 13.5h11",
  image: "M2 3h12v10H2ZM2 11l4-4 3.5 3.5L11.5 9l2.5 2.5M11 5.5v.1",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.5 10.5l3.5 3.5",
  pin: "M8 1.5a4 4 0 0 0-4 4c0 3 4 8.5 4 8.5s4-5.5 4-8.5a4 4 0 0 0-4-4ZM8 4.5v.1",
  trash: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9",
  left_panel: "M2 3h12v10H2ZM6 3v10",
  right_panel: "M2 3h12v10H2ZM10 3v10",
  bottom_panel: "M2 3h12v10H2ZM2 9.5h12",
  warning: "M8 2l6.5 11.5h-13ZM8 6.5v3.5M8 11.8v.2",
  loop: "M3 9a4.5 4.5 0 0 1 4.5-4.5H13M10.5 2L13 4.5 10.5 7M13 7.5A4.5 4.5 0 0 1 8.5 12H3M5.5 14.5L3 12l2.5-2.5",
  pingpong: "M2 8h12M4.5 5.5L2 8l2.5 2.5M11.5 5.5L14 8l-2.5 2.5",
  curves: "M2 2v12h12M4 11c2-8 3-8 4.5-3s2.5 4 5-4",
  chain: "M6.5 9.5l3-3M7 4.5L9 2.5a3 3 0 0 1 4.5 4.5l-2 2M9 11.5l-2 2A3 3 0 0 1 2.5 9l2-2",
  upload: "M8 10.5V2.5M4.5 6L8 2.5 11.5 6M2.5 13.5h11",
};

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
