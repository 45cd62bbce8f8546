// Generated from packages/management/openapi/management.json by npm run openapi.
export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who makes the request, and what the host has configured
         * @description Needs the role viewer.
         */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The work in progress, open circuit breakers, waiting notices, and the state of each store
         * @description Needs the role viewer.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The models with their targets, prices and circuit breakers
         * @description Needs the role viewer.
         */
        get: operations["models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One model
         * @description Needs the role viewer.
         */
        get: operations["models.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The plans with their models, features, dialects and limits
         * @description Needs the role viewer.
         */
        get: operations["plans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The keys, oldest first
         * @description Needs the role viewer.
         */
        get: operations["keys"];
        put?: never;
        /**
         * Creates a key and answers its secret, which cannot be read again
         * @description Needs the role operator.
         */
        post: operations["keys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A key with what it has spent of its limit, and its last use
         * @description Needs the role viewer.
         */
        get: operations["keys.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes settings of a key; null removes one
         * @description Needs the role operator.
         */
        patch: operations["keys.update"];
        trace?: never;
    };
    "/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a key of the same rights, and ends the old one after a grace period
         * @description Needs the role operator.
         */
        post: operations["keys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a key at once
         * @description Needs the role operator.
         */
        post: operations["keys.revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The accounts with their plans, balances and spend limits, by id
         * @description Needs the role viewer.
         */
        get: operations["accounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An account with its balance, spend limit, accepted terms and the number of its keys
         * @description Needs the role viewer.
         */
        get: operations["accounts.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Posts a credit, once for each Idempotency-Key
         * @description Needs the role admin.
         */
        post: operations["accounts.credit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{id}/debits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Posts a debit, once for each Idempotency-Key
         * @description Needs the role admin.
         */
        post: operations["accounts.debit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{id}/spend-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets the spend limit of an account
         * @description Needs the role admin.
         */
        put: operations["accounts.spend_limit.set"];
        post?: never;
        /**
         * Removes the spend limit of an account, so that the default of its plan applies
         * @description Needs the role admin.
         */
        delete: operations["accounts.spend_limit.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{id}/terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records that an account accepted a version of the terms
         * @description Needs the role operator.
         */
        post: operations["accounts.terms.accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger of an account with the receipt of each charge, newest first
         * @description Needs the role viewer.
         */
        get: operations["accounts.entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ledger/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Checks the whole ledger for inconsistencies
         * @description Needs the role admin.
         */
        post: operations["ledger.verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Requests, tokens, cost and latency by time and by model, account, key, target, dialect or status
         * @description Needs the role viewer.
         */
        get: operations["usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The finished requests, newest first
         * @description Needs the role viewer.
         */
        get: operations["requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A request with the receipts of its charge; its content, if it was stored, needs the role operator
         * @description Needs the role viewer.
         */
        get: operations["requests.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The versions of the terms, and the one in force
         * @description Needs the role viewer.
         */
        get: operations["terms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/terms/acceptances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which account accepted which version, by account
         * @description Needs the role viewer.
         */
        get: operations["terms.acceptances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assistants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The assistants with their triggers, without secrets
         * @description Needs the role viewer.
         */
        get: operations["assistants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assistants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One assistant
         * @description Needs the role viewer.
         */
        get: operations["assistants.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assistants/{id}/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renders the webhook of a trigger and checks its target, without sending it
         * @description Needs the role operator.
         */
        post: operations["assistants.dry_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sessions of all accounts, newest first
         * @description Needs the role viewer.
         */
        get: operations["conversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A session with the number of its turns and its end; its client data needs the role operator
         * @description Needs the role viewer.
         */
        get: operations["conversations.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The messages of a session, oldest first
         * @description Needs the role operator.
         */
        get: operations["conversations.messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The webhook calls of a session, newest first
         * @description Needs the role operator.
         */
        get: operations["conversations.logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The changes that operators made, newest first
         * @description Needs the role viewer.
         */
        get: operations["audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/playground/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a key for five minutes, with which to try models on the balance of an account
         * @description Needs the role operator.
         */
        post: operations["playground.keys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            id: string;
            plans: string[];
            billed: boolean;
            posted: string;
            held: string;
            available: string;
            spend: {
                limit: string;
                /** @enum {string} */
                window: "day" | "week" | "month" | "total";
                timezone: string;
                spent: string;
                resets_at: string | null;
                /** @enum {string} */
                source: "own" | "plan";
            } | null;
        };
        Assistant: {
            id: string;
            company_id: string;
            model: string;
            instructions: string | null;
            triggers: {
                name: string;
                description: string | null;
                parameters: Record<string, never>;
                interpret_response: boolean;
                webhook: {
                    method: string;
                    url: string;
                    headers: {
                        key: string;
                        value: string;
                    }[];
                    body: unknown;
                    response_directive: string | null;
                };
            }[];
        };
        Balance: {
            posted: string;
            held: string;
            available: string;
        };
        Entry: {
            sequence: string;
            /** @enum {string} */
            kind: "credit" | "debit" | "charge" | "expiry" | "late";
            amount: string;
            reference: string;
            reason: string | null;
            /** Format: date-time */
            at: string;
            receipt: components["schemas"]["Receipt"] | null;
        };
        Error: {
            error: {
                message: string;
                type: string;
                code: string;
                param?: string;
            };
        };
        Key: {
            id: string;
            account: string;
            plan: string;
            name: string | null;
            last_four: string;
            models: string[] | null;
            features: ("response_format" | "image_url" | "tools" | "reasoning_effort")[] | null;
            dialects: ("chat" | "responses" | "messages" | "embeddings")[] | null;
            limits: components["schemas"]["Limits"] | null;
            spend: components["schemas"]["Spend"] | null;
            tags: string[];
            log_content: boolean;
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            revoked_at: string | null;
            rotated_from: string | null;
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
        };
        Limits: {
            requests: {
                limit: number;
                window_seconds: number;
            } | null;
            tokens: {
                limit: number;
                window_seconds: number;
            } | null;
            concurrency: number | null;
        };
        Model: {
            id: string;
            display_name: string | null;
            /** @enum {string} */
            kind: "chat" | "embedding";
            context_window: number | null;
            max_output_tokens: number;
            vision: boolean;
            tools: boolean;
            reasoning: {
                effort_levels: string[];
                default_effort: string;
            } | null;
            price: components["schemas"]["Prices"];
            requests_24h: number | null;
            error_share_24h: number | null;
            refusal_share_24h: number | null;
            p50_ms_24h: number | null;
            p95_ms_24h: number | null;
            targets: {
                provider: string;
                upstream_model: string;
                priority: number;
                weight: number;
                context_window: number | null;
                price: components["schemas"]["Prices"];
                cost: components["schemas"]["Prices"] | null;
                /** @enum {string} */
                breaker: "closed" | "open" | "half_open";
                breaker_until: string | null;
                attempts_24h: number | null;
                answered_24h: number | null;
                failed_attempts_24h: {
                    [key: string]: number;
                } | null;
                error_share_24h: number | null;
                p50_ms_24h: number | null;
                p95_ms_24h: number | null;
            }[];
        };
        Prices: {
            input: string;
            cached_input: string;
            cache_write_5m: string;
            cache_write_1h: string;
            output: string;
            request: string;
        };
        Receipt: {
            request_id: string;
            key_id: string;
            model: string;
            dialect: string;
            charge: {
                provider: string;
                upstream_model: string;
                tokens: components["schemas"]["Tokens"];
                /** @enum {string} */
                basis: "reported" | "estimated" | "implausible";
                prices: components["schemas"]["Prices"];
                duration_ms: number;
                status: string;
                answer_id: string | null;
            } | null;
        };
        Request: {
            id: string;
            /** Format: date-time */
            at: string;
            request_id: string;
            account: string;
            key_id: string;
            plan: string;
            endpoint: string;
            dialect: string;
            model: string | null;
            target: {
                provider: string;
                upstream_model: string;
            } | null;
            status: number;
            error_code: string | null;
            ending: string;
            tokens: components["schemas"]["Tokens"];
            estimated: boolean;
            cost: string;
            upstream_cost: string | null;
            hold_id: string | null;
            first_content_ms: number | null;
            duration_ms: number;
            attempts: number;
            attempts_by_target: {
                provider: string;
                upstream_model: string;
                attempts: number;
                failed: {
                    [key: string]: number;
                };
            }[] | null;
            answer_id: string | null;
            session_id: string | null;
            end_user: string | null;
            tags: string[];
            timeline: {
                step: string;
                at: number;
                detail: string | null;
                status: number | null;
                message: string | null;
            }[];
        };
        Spend: {
            limit: string;
            /** @enum {string} */
            window: "day" | "week" | "month" | "total";
            timezone: string;
        };
        Tokens: {
            input: number;
            cached_input: number;
            cache_write_5m: number;
            cache_write_1h: number;
            output: number;
            reasoning: number;
        };
        Usage: {
            /** Format: date-time */
            start: string;
            group: string | null;
            others: boolean;
            requests: number;
            failed: number;
            refused: number;
            tokens: components["schemas"]["Tokens"];
            cost: string;
            upstream_cost: string | null;
            margin: string | null;
            p50_ms: number | null;
            p95_ms: number | null;
            first_content_p50_ms: number | null;
            first_content_p95_ms: number | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        actor: string;
                        /** @enum {string} */
                        role: "viewer" | "operator" | "admin";
                        currency: string | null;
                        router_url: string | null;
                        sessions_url: string | null;
                        sign_out_url: string | null;
                        served: string[];
                        version: string;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "degraded" | "draining";
                        in_flight: number;
                        settlements_waiting: number;
                        usage: {
                            pending: number;
                            dropped: number;
                        } | null;
                        breakers: {
                            provider: string;
                            upstream_model: string;
                            /** @enum {string} */
                            state: "open" | "half_open";
                            since: string | null;
                            until: string | null;
                            failure: string | null;
                            upstream_status: number | null;
                            upstream_message: string | null;
                        }[];
                        implausible_usage: {
                            provider: string;
                            upstream_model: string;
                            count: number;
                            /** Format: date-time */
                            last_at: string;
                        }[];
                        notices: {
                            waiting: number;
                            oldest_at: string | null;
                        } | null;
                        stores: {
                            name: string;
                            ok: boolean;
                            latency_ms: number;
                            error: string | null;
                        }[];
                        /** Format: date-time */
                        started_at: string;
                        version: string;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"][];
                        next: null;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "models.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    plans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            /** @enum {string} */
                            billing: "prepaid" | "none";
                            models: string[] | null;
                            features: ("response_format" | "image_url" | "tools" | "reasoning_effort")[] | null;
                            dialects: ("chat" | "responses" | "messages" | "embeddings")[] | null;
                            limits: components["schemas"]["Limits"] | null;
                            spend: components["schemas"]["Spend"] | null;
                        }[];
                        next: null;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    keys: {
        parameters: {
            query?: {
                account?: string;
                state?: "active" | "expired" | "revoked";
                q?: string;
                limit?: string;
                cursor?: string;
                format?: "json" | "csv" | "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Key"][];
                        next: string | null;
                    };
                    "text/csv; charset=utf-8": string;
                    "application/jsonl; charset=utf-8": string;
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "keys.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    account: string;
                    plan: string;
                    name?: string;
                    models?: string[];
                    features?: ("response_format" | "image_url" | "tools" | "reasoning_effort")[];
                    dialects?: ("chat" | "responses" | "messages" | "embeddings")[];
                    limits?: {
                        requests?: {
                            limit: number;
                            window_seconds?: number;
                        };
                        tokens?: {
                            limit: number;
                            window_seconds?: number;
                        };
                        concurrency?: number;
                    };
                    spend?: {
                        limit: string;
                        /** @enum {string} */
                        window: "day" | "week" | "month" | "total";
                        timezone?: string;
                    };
                    tags?: string[];
                    log_content?: boolean;
                    /** Format: date-time */
                    expires_at?: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: components["schemas"]["Key"];
                        secret: string;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "keys.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        account: string;
                        plan: string;
                        name: string | null;
                        last_four: string;
                        models: string[] | null;
                        features: ("response_format" | "image_url" | "tools" | "reasoning_effort")[] | null;
                        dialects: ("chat" | "responses" | "messages" | "embeddings")[] | null;
                        limits: components["schemas"]["Limits"] | null;
                        spend: components["schemas"]["Spend"] | null;
                        tags: string[];
                        log_content: boolean;
                        /** Format: date-time */
                        created_at: string;
                        expires_at: string | null;
                        revoked_at: string | null;
                        rotated_from: string | null;
                        /** @enum {string} */
                        state: "active" | "expired" | "revoked";
                        spend_state: {
                            limit: string;
                            /** @enum {string} */
                            window: "day" | "week" | "month" | "total";
                            timezone: string;
                            spent: string;
                            resets_at: string | null;
                        } | null;
                        last_used_at: string | null;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "keys.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    models?: string[] | null;
                    features?: ("response_format" | "image_url" | "tools" | "reasoning_effort")[] | null;
                    dialects?: ("chat" | "responses" | "messages" | "embeddings")[] | null;
                    limits?: {
                        requests?: {
                            limit: number;
                            window_seconds?: number;
                        };
                        tokens?: {
                            limit: number;
                            window_seconds?: number;
                        };
                        concurrency?: number;
                    } | null;
                    spend?: {
                        limit: string;
                        /** @enum {string} */
                        window: "day" | "week" | "month" | "total";
                        timezone?: string;
                    } | null;
                    tags?: string[] | null;
                    log_content?: boolean | null;
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "keys.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    grace_seconds: number;
                };
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: components["schemas"]["Key"];
                        secret: string;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "keys.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    accounts: {
        parameters: {
            query?: {
                prefix?: string;
                limit?: string;
                cursor?: string;
                format?: "json" | "csv" | "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"][];
                        next: string | null;
                    };
                    "text/csv; charset=utf-8": string;
                    "application/jsonl; charset=utf-8": string;
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "accounts.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        plans: string[];
                        billed: boolean;
                        posted: string;
                        held: string;
                        available: string;
                        spend: {
                            limit: string;
                            /** @enum {string} */
                            window: "day" | "week" | "month" | "total";
                            timezone: string;
                            spent: string;
                            resets_at: string | null;
                            /** @enum {string} */
                            source: "own" | "plan";
                        } | null;
                        terms: {
                            version_id: string;
                            version: string | null;
                            /** Format: date-time */
                            accepted_at: string;
                        }[];
                        keys: number;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "accounts.credit": {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: string;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        outcome: "posted" | "repeated";
                        balance: components["schemas"]["Balance"];
                        new_account: boolean;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "accounts.debit": {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    amount: string;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        outcome: "posted" | "repeated";
                        balance: components["schemas"]["Balance"];
                        new_account: boolean;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "accounts.spend_limit.set": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    limit: string;
                    /** @enum {string} */
                    window: "day" | "week" | "month" | "total";
                    timezone?: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "accounts.spend_limit.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "accounts.terms.accept": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    version_id: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        account: string;
                        version_id: string;
                        /** Format: date-time */
                        accepted_at: string;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "accounts.entries": {
        parameters: {
            query?: {
                kind?: "credit" | "debit" | "charge" | "expiry" | "late";
                from?: string;
                to?: string;
                limit?: string;
                cursor?: string;
                format?: "json" | "csv" | "jsonl";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Entry"][];
                        next: string | null;
                    };
                    "text/csv; charset=utf-8": string;
                    "application/jsonl; charset=utf-8": string;
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "ledger.verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        violations: {
                            account: string;
                            problem: string;
                        }[];
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                bucket?: "hour" | "day" | "month" | "all";
                group_by?: "model" | "account" | "key" | "target" | "dialect" | "status";
                top?: string;
                model?: string;
                account?: string;
                key?: string;
                target?: string;
                dialect?: "chat" | "responses" | "messages" | "embeddings";
                status?: string;
                session?: string;
                end_user?: string;
                tag?: string;
                failed?: "true";
                refused?: "true";
                format?: "json" | "csv" | "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        from: string;
                        /** Format: date-time */
                        to: string;
                        /** @enum {string} */
                        bucket: "hour" | "day" | "month" | "all";
                        group_by: ("model" | "account" | "key" | "target" | "dialect" | "status") | null;
                        data: components["schemas"]["Usage"][];
                    };
                    "text/csv; charset=utf-8": string;
                    "application/jsonl; charset=utf-8": string;
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requests: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                request_id?: string;
                answer_id?: string;
                any_id?: string;
                model?: string;
                account?: string;
                key?: string;
                target?: string;
                dialect?: "chat" | "responses" | "messages" | "embeddings";
                status?: string;
                session?: string;
                end_user?: string;
                tag?: string;
                failed?: "true";
                refused?: "true";
                limit?: string;
                cursor?: string;
                format?: "json" | "csv" | "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Request"][];
                        next: string | null;
                    };
                    "text/csv; charset=utf-8": string;
                    "application/jsonl; charset=utf-8": string;
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "requests.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: date-time */
                        at: string;
                        request_id: string;
                        account: string;
                        key_id: string;
                        plan: string;
                        endpoint: string;
                        dialect: string;
                        model: string | null;
                        target: {
                            provider: string;
                            upstream_model: string;
                        } | null;
                        status: number;
                        error_code: string | null;
                        ending: string;
                        tokens: components["schemas"]["Tokens"];
                        estimated: boolean;
                        cost: string;
                        upstream_cost: string | null;
                        hold_id: string | null;
                        first_content_ms: number | null;
                        duration_ms: number;
                        attempts: number;
                        attempts_by_target: {
                            provider: string;
                            upstream_model: string;
                            attempts: number;
                            failed: {
                                [key: string]: number;
                            };
                        }[] | null;
                        answer_id: string | null;
                        session_id: string | null;
                        end_user: string | null;
                        tags: string[];
                        timeline: {
                            step: string;
                            at: number;
                            detail: string | null;
                            status: number | null;
                            message: string | null;
                        }[];
                        entries: components["schemas"]["Entry"][];
                        content: {
                            request: unknown;
                            response: unknown;
                        } | null;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    terms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        in_force: string | null;
                        data: {
                            id: string;
                            version: string;
                            enforcement_at: string | null;
                            accept_url: string;
                        }[];
                        next: null;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "terms.acceptances": {
        parameters: {
            query?: {
                account?: string;
                version_id?: string;
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            account: string;
                            version_id: string;
                            /** Format: date-time */
                            accepted_at: string;
                        }[];
                        next: string | null;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    assistants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Assistant"][];
                        next: null;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "assistants.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Assistant"];
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "assistants.dry_run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    trigger: string;
                    arguments: Record<string, never>;
                    session?: {
                        id?: string;
                        client_data?: Record<string, never>;
                        images?: string[];
                    };
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        outcome: "rendered";
                        request: {
                            method: string;
                            url: string;
                            headers: {
                                key: string;
                                value: string;
                            }[];
                            body: string | null;
                        };
                        target: {
                            allowed: boolean;
                            reason: string | null;
                        };
                        variables: {
                            name: string;
                            source: string;
                            value?: unknown;
                        }[];
                    } | {
                        /** @constant */
                        outcome: "refused";
                        error: {
                            code: string;
                            message: string;
                        };
                        variables: {
                            name: string;
                            source: string;
                            value?: unknown;
                        }[];
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    conversations: {
        parameters: {
            query?: {
                account?: string;
                assistant?: string;
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            account: string;
                            assistant_id: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        next: string | null;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "conversations.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        account: string;
                        assistant_id: string;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        client_data?: Record<string, never>;
                        turns: number;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "conversations.messages": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            sequence: number;
                            /** Format: date-time */
                            at: string;
                            message: Record<string, never>;
                        }[];
                        next: string | null;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "conversations.logs": {
        parameters: {
            query?: {
                limit?: string;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            sequence: number;
                            log: Record<string, never>;
                        }[];
                        next: string | null;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    audit: {
        parameters: {
            query?: {
                actor?: string;
                action?: string;
                subject?: string;
                limit?: string;
                cursor?: string;
                format?: "json" | "csv" | "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            sequence: string;
                            /** Format: date-time */
                            at: string;
                            actor: string;
                            action: string;
                            subject: string;
                            before: unknown;
                            after: unknown;
                        }[];
                        next: string | null;
                    };
                    "text/csv; charset=utf-8": string;
                    "application/jsonl; charset=utf-8": string;
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "playground.keys.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    account: string;
                    plan: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        secret: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            /** @description The request was refused */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gateway or a store failed */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
