package org.svcmailbox.core.rendezvous;

import java.net.InetAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An admitted request.
 *
 * @param sender the client charged, an IPv6 address cut to its prefix; null when the address is
 *     unknown or on the allow list
 * @param isValid whether the request would still be admitted; never blocks
 */
public record Access(@Nullable InetAddress sender, BooleanSupplier isValid) {}
