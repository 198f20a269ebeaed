package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Condition;
import org.svcmailbox.core.capability.caveat.Quota;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.rate.AddressBlock;
import org.svcmailbox.core.rate.Buckets;
import org.svcmailbox.core.rate.Buckets.Limit;

/** Limits the call rates of addresses and capabilities. Any thread. */
final class CallRates {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final int perAddress;
  private final Buckets<ByteBuffer> addresses;
  private final Buckets<String> capabilities;

  /**
   * @param perAddress calls per second from one address; 0 means unlimited
   */
  CallRates(int perAddress, int buckets, LongSupplier nanos) {
    this.perAddress = perAddress;
    this.addresses = new Buckets<>(buckets, nanos);
    this.capabilities = new Buckets<>(buckets, nanos);
  }

  /** Throws {@link SaturatedException} if the address calls too often. */
  void count(@Nullable InetAddress address) {
    if (perAddress > 0 && address != null) {
      Limit<ByteBuffer> limit = new Limit<>(AddressBlock.client(address), perAddress, SECOND);
      refuse("rate_address", addresses.take(AddressBlock.network(address), List.of(limit)));
    }
  }

  /**
   * Throws {@link SaturatedException} if one of the capability's rates is exceeded; the call then
   * counts for none of them. Everything narrowed from a capability shares that capability's
   * buckets.
   */
  void count(VerifiedCapability capability) {
    List<Limit<String>> limits = capability.rates().stream().map(CallRates::limit).toList();
    refuse("rate_capability", capabilities.take(capability.id(), limits));
  }

  private static Limit<String> limit(Quota<Condition.Rate> quota) {
    return new Limit<>(quota.owner(), quota.caveat().calls(), quota.caveat().period());
  }

  long buckets() {
    return addresses.size() + capabilities.size();
  }

  private static void refuse(String reason, Optional<Duration> wait) {
    if (wait.isPresent()) {
      throw new SaturatedException(reason, "too many calls", wait.get());
    }
  }
}
