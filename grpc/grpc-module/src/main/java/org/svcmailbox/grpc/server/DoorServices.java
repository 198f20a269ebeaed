package org.svcmailbox.grpc.server;

import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.stream.StreamService;
import org.svcmailbox.grpc.trace.CallSpans;

/** The services behind the gRPC server. */
public record DoorServices(
    MailboxService mailbox,
    StreamService streams,
    CapabilityService capabilities,
    Vitals vitals,
    MailboxSettings settings,
    CallSpans spans) {}
