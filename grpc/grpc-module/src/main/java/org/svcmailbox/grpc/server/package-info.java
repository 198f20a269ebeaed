/** The gRPC server: its address, its threads, its numbers and its end. */
@NullMarked
package org.svcmailbox.grpc.server;

import org.jspecify.annotations.NullMarked;
