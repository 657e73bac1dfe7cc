/** Vertical opening of the camera [degrees]. */
export const FIELD = 40;
