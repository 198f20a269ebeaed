/**
 * Sessions with Artemis. Messages take one of two ways, which {@code BrokerLinks} chooses: straight
 * into the broker of this process, or through Artemis' client; everything else goes through the
 * client. Invariant: one thread owns a link.
 */
@NullMarked
package org.svcmailbox.ejb.link;

import org.jspecify.annotations.NullMarked;
