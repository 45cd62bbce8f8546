export type { AuthorizeCustomer, Customer, Right } from "./customer.ts";
export type { NoticeSettings, NoticeType, PortalNotices } from "./notice-settings.ts";
export { portal } from "./portal.ts";
export type { PortalKeys, PortalOptions, PortalStores } from "./portal-options.ts";
export type { GivenTexts, PortalTexts } from "./texts-option.ts";
