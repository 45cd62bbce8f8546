const dataUrl = /^data:image\/[a-z0-9][a-z0-9.+-]{0,100}(?:;[a-z0-9=._-]{1,100}){0,5},/i;
const webUrl = /^https?:\/\/[^\s\p{Cc}]+$/iu;
const maxWebUrlLength = 16_384;

/** True for an http or https URL, and for a data URL of an image (RFC 2397). */
export function isImageUrl(url: string): boolean {
  // A data URL may be megabytes long; its media type is at the start.
  if (/^data:/i.test(url)) return dataUrl.test(url.slice(0, 1_024)) && !/[\s\p{Cc}]/u.test(url);
  return url.length <= maxWebUrlLength && webUrl.test(url) && URL.canParse(url);
}
