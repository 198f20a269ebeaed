package org.svcmailbox.core.capability;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.caveat.Capability;
import org.svcmailbox.core.capability.caveat.Caveat;
import org.svcmailbox.core.capability.caveat.Quota;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.rate.Buckets;

/** Limits the call rates of addresses and capabilities. Any thread. */
final class CallRates {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The prefix of an IPv6 address that one client has to itself. */
  private static final int NETWORK_BYTES = 8;

  private final int perAddress;
  private final Buckets<ByteBuffer> addresses;
  private final Buckets<String> capabilities;

  /**
   * @param perAddress calls a second from one address; 0 is unlimited
   */
  CallRates(int perAddress, int buckets, LongSupplier nanos) {
    this.perAddress = perAddress;
    this.addresses = new Buckets<>(buckets, nanos);
    this.capabilities = new Buckets<>(buckets, nanos);
  }

  /** Throws {@link SaturatedException} when the address calls too often. */
  void count(@Nullable InetAddress address) {
    if (perAddress > 0 && address != null) {
      refuse("rate_address", addresses.take(client(address), perAddress, SECOND));
    }
  }

  /**
   * Throws {@link SaturatedException} when a rate is exceeded; the one added last is checked first,
   * so that shared rates lose nothing.
   */
  void count(Capability capability) {
    List<Quota<Caveat.Rate>> quotas = capability.rates();
    for (int i = quotas.size() - 1; i >= 0; i--) {
      Caveat.Rate rate = quotas.get(i).caveat();
      refuse(
          "rate_capability", capabilities.take(quotas.get(i).owner(), rate.calls(), rate.period()));
    }
  }

  long buckets() {
    return addresses.size() + capabilities.size();
  }

  private static ByteBuffer client(InetAddress address) {
    byte[] bytes = address.getAddress();
    return ByteBuffer.wrap(
        address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }

  private static void refuse(String reason, Optional<Duration> wait) {
    if (wait.isPresent()) {
      throw new SaturatedException(reason, "too many calls", wait.get());
    }
  }
}
