/** The mailbox over gRPC, on a port of its own. */
@NullMarked
package org.svcmailbox.grpc;

import org.jspecify.annotations.NullMarked;
