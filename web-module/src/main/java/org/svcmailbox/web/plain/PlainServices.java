package org.svcmailbox.web.plain;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.delivery.MailboxService;

/** Asks the beans, once for each place that has a use for it, what is behind them. */
@Singleton
class PlainServices {
  @Inject private MailboxService mailbox;
  @Inject private CapabilityService capabilities;

  @Produces
  @Plain
  MailboxService mailbox() {
    return mailbox.plain();
  }

  @Produces
  @Plain
  CapabilityService capabilities() {
    return capabilities.plain();
  }
}
