import { GatewayError } from "@tollgate/core";
import { oneOf } from "@tollgate/core/internal";
import { noticeTypes } from "@tollgate/core/store";
import { answerFrom, defineChange, defineOperation, members, wholeNumber } from "@tollgate/management/internal";
import * as v from "valibot";
import type { NoticeSettings, PortalNotices } from "../notice-settings.ts";
import type { PortalContext } from "../portal-options.ts";

interface OwnNotices {
  readonly settings: NoticeSettings;
  readonly offered: readonly number[];
}

const noticesAnswer = answerFrom<OwnNotices>()({
  email: [v.nullable(v.string()), ({ settings }) => settings.email],
  types: [
    v.array(v.picklist(noticeTypes)),
    ({ settings: { types } }) => noticeTypes.filter((type) => types.includes(type)),
  ],
  thresholds: [
    v.array(v.number()),
    ({ settings, offered }) => offered.filter((each) => settings.thresholds.includes(each)),
  ],
  /** What can be chosen. */
  offered: [
    v.strictObject({ types: v.array(v.picklist(noticeTypes)), thresholds: v.array(v.number()) }),
    ({ offered }) => ({ types: [...noticeTypes], thresholds: [...offered] }),
  ],
});

/** The settings of an account that has saved none. */
const noSettings: NoticeSettings = { email: null, types: [], thresholds: [] };

/** Which notices the account wants, and to which address. */
export const showOwnNotices = defineOperation({
  name: "notices",
  method: "GET",
  path: "/notices",
  role: "viewer",
  summary: "Which notices the account wants, to which address, and what can be chosen",
  answer: noticesAnswer.schema,
  async run(context: PortalContext) {
    const notices = requireNotices(context);
    const settings = (await context.ask(() => notices.find(context.customer.account))) ?? noSettings;
    return noticesAnswer.show({ settings, offered: notices.thresholds });
  },
});

// The messages do not repeat the address, since they may be logged.
const addressMessage = 'must be a mail address, such as "billing@example.com", or null';
const address = v.pipe(v.string(addressMessage), v.maxLength(254, addressMessage), v.rfcEmail(addressMessage));

const settingsBody = members("the settings of notices", {
  email: v.nullable(address),
  types: v.array(oneOf(...noticeTypes), "must be a list of types of notices"),
  thresholds: v.array(wholeNumber(1, 100), "must be a list of percentages"),
});

/** Replaces the settings of the account. The audit log gets them without the address. */
export const saveOwnNotices = defineChange({
  name: "notices.save",
  method: "PUT",
  path: "/notices",
  role: "viewer",
  summary: "Replaces which notices the account wants, and to which address",
  body: settingsBody,
  answer: noticesAnswer.schema,
  action: "notices.save",
  async run(context: PortalContext, { body }, audited) {
    const { account } = context.customer;
    const notices = requireNotices(context);
    requireOffered(notices, body.thresholds);
    const settings = {
      email: body.email,
      types: noticeTypes.filter((type) => body.types.includes(type)),
      thresholds: notices.thresholds.filter((each) => body.thresholds.includes(each)),
    };
    const { email: _, ...after } = settings;
    await audited({ subject: `account:${account}`, after }, () => context.ask(() => notices.save(account, settings)));
    return noticesAnswer.show({ settings, offered: notices.thresholds });
  },
});

/** Throws the 404 of a portal without the option `notices`. */
function requireNotices({ settings: { notices } }: PortalContext): Required<PortalNotices> {
  if (notices !== null) return notices;
  throw new GatewayError("not_configured", "Notices are not set here. Ask the operator of this service for them.");
}

function requireOffered({ thresholds }: Required<PortalNotices>, wanted: readonly number[]): void {
  if (wanted.every((each) => thresholds.includes(each))) return;
  const message = `\`thresholds\` has a percentage that is not offered. Choose among ${thresholds.join(", ")}.`;
  throw new GatewayError("invalid_request", message, { param: "thresholds" });
}
