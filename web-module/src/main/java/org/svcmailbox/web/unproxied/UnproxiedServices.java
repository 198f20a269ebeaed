package org.svcmailbox.web.unproxied;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.delivery.MailboxService;

/** Resolves each bean's service once per injection point. */
@Singleton
class UnproxiedServices {
  @Inject private MailboxService mailbox;
  @Inject private CapabilityService capabilities;

  @Produces
  @Unproxied
  MailboxService mailbox() {
    return mailbox.plain();
  }

  @Produces
  @Unproxied
  CapabilityService capabilities() {
    return capabilities.plain();
  }
}
