/**
 * The rendezvous service of one node. It combines mailboxes and access control, and has its own
 * health and metrics.
 */
@NullMarked
package org.svcmailbox.core.rendezvous.door;

import org.jspecify.annotations.NullMarked;
