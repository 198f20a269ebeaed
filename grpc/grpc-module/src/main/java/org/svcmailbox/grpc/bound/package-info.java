/** The bounds of connections, calls and bytes. Invariant: what is refused was not kept. */
@NullMarked
package org.svcmailbox.grpc.bound;

import org.jspecify.annotations.NullMarked;
