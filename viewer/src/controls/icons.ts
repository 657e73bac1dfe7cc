/** Small pictures for buttons, drawn with the colour of the text. */

const PATHS: Record<string, string> = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M6.5 5h4v14h-4zM13.5 5h4v14h-4z',
  back: 'M17 5v14l-9-7zM5 5h2.4v14H5z',
  forward: 'M7 5v14l9-7zM16.6 5H19v14h-2.4z',
  loop: 'M7 7h9.5l-2-2 1.4-1.4L20.3 8l-4.4 4.4-1.4-1.4 2-2H7a2.5 2.5 0 0 0-2.5 2.5V13h-2v-1.5A4.5 4.5 0 0 1 7 7zm10 10H7.5l2 2-1.4 1.4L3.7 16l4.4-4.4L9.5 13l-2 2H17a2.5 2.5 0 0 0 2.5-2.500V11h2v1.500A4.5 4.5 0 0 1 17 17z',
  live: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM5 12a7 7 0 0 1 2-4.900L5.6 5.700a9 9 0 0 0 0 12.600L7 16.900A7 7 0 0 1 5 12zm14 0a7 7 0 0 1-2 4.900l1.4 1.400a9 9 0 0 0 0-12.600L17 7.100A7 7 0 0 1 19 12z',
  sun: 'M12 7.500a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM11 2h2v3h-2zM11 19h2v3h-2zM2 11h3v2H2zM19 11h3v2h-3zM4.2 5.600l1.4-1.4 2.1 2.1-1.4 1.400zM16.3 17.700l1.4-1.4 2.1 2.1-1.4 1.400zM4.2 18.400l2.1-2.1 1.4 1.4-2.1 2.100zM16.3 6.300l2.1-2.1 1.4 1.4-2.1 2.100z',
  moon: 'M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500z',
  eye: 'M12 5c5 0 8.8 4 10 7-1.2 3-5 7-10 7S3.2 15 2 12c1.2-3 5-7 10-7zm0 2.200c-3.7 0-6.5 2.7-7.7 4.8 1.2 2.1 4 4.8 7.7 4.800s6.5-2.7 7.7-4.800c-1.2-2.1-4-4.8-7.7-4.800zm0 1.800a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  list: 'M4 5h3v3H4zM9 5.500h11v2H9zM4 10.500h3v3H4zM9 11h11v2H9zM4 16h3v3H4zM9 16.500h11v2H9z',
  info: 'M12 2.500a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19zm0 2a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM11 10.500h2V17h-2zM11 7h2v2h-2z',
  slope: 'M4 4h2v16H4zM8 6h7v2.500H8zM8 10.700h12v2.500H8zM8 15.500h4v2.500H8z',
  home: 'M12 3l9 8h-2.500v9h-5v-6h-3v6h-5v-9H3z',
};

export function icon(name: keyof typeof PATHS): SVGSVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  element.setAttribute('viewBox', '0 0 24 24');
  element.setAttribute('class', 'icon');
  element.setAttribute('aria-hidden', 'true');
  element.innerHTML = `<path d="${PATHS[name]}"/>`;
  return element;
}
