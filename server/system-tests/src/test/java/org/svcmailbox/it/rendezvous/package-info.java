/** The rendezvous door of the laid-out server, over real sockets. */
@NullMarked
package org.svcmailbox.it.rendezvous;

import org.jspecify.annotations.NullMarked;
