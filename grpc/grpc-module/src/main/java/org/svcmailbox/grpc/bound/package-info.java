/** The limits of connections, calls and bytes. Invariant: nothing that was refused is kept. */
@NullMarked
package org.svcmailbox.grpc.bound;

import org.jspecify.annotations.NullMarked;
