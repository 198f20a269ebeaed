/** Starts and ends the door with the deployment. */
@NullMarked
package org.svcmailbox.grpc.bean;

import org.jspecify.annotations.NullMarked;
