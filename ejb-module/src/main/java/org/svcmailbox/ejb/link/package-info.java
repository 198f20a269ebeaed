/**
 * Sessions with Artemis. Messages go directly into the broker of this process, or through Artemis'
 * client, as {@code BrokerLinks} chooses; everything else goes through the client. Invariant: one
 * thread owns a link.
 */
@NullMarked
package org.svcmailbox.ejb.link;

import org.jspecify.annotations.NullMarked;
