package org.svcmailbox.core.rendezvous;

import java.net.InetAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An admitted request.
 *
 * @param sender whose share of the memory it uses: the client's address, an IPv6 one cut to its
 *     prefix; null when it has no share to keep, because the address is on the allow list or
 *     unknown
 * @param isValid whether it would still be admitted; asked again when a message is handed to a
 *     waiting request. Never blocks
 */
public record Pass(@Nullable InetAddress sender, BooleanSupplier isValid) {}
