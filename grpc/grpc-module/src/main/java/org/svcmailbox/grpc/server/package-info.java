/** The gRPC server: its address, its threads, its limits and its shutdown. */
@NullMarked
package org.svcmailbox.grpc.server;

import org.jspecify.annotations.NullMarked;
