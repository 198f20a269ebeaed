package org.svcmailbox.core.route;

import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.BearerToken;

/**
 * A call with what its owner needs to authenticate and answer it.
 *
 * @param token of the client
 * @param client the client's address; null if it is unknown
 * @param left how long the entry node waits for the answer, in whole milliseconds
 */
public record ForwardedCall(
    BearerToken token, @Nullable InetAddress client, Duration left, PeerCall call) {}
