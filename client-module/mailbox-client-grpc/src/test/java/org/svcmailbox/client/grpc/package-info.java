/** The mailbox over gRPC, against services that answer as a test says. */
@NullMarked
package org.svcmailbox.client.grpc;

import org.jspecify.annotations.NullMarked;
