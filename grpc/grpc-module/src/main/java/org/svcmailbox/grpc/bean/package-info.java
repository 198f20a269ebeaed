/** Starts and ends the gRPC server with the deployment. */
@NullMarked
package org.svcmailbox.grpc.bean;

import org.jspecify.annotations.NullMarked;
