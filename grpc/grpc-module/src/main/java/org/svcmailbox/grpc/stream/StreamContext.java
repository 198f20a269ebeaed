package org.svcmailbox.grpc.stream;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.grpc.refusal.Refusals;

/**
 * A streaming call and the services that it uses.
 *
 * @param trace the trace context of messages that name none; null for none
 * @param opened run once the stream is open
 * @param arriving the limit of all calls' chunk bytes
 * @param threads write to clients
 */
public record StreamContext(
    Refusals.Refused call,
    Caller caller,
    @Nullable TraceContext trace,
    CallSpan span,
    Runnable opened,
    MailboxService mailbox,
    MailboxSettings settings,
    CapacityLimit arriving,
    Refusals refusals,
    Executor threads) {}
