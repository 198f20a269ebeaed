package org.svcmailbox.core.rendezvous.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rate.AddressBlock;
import org.svcmailbox.core.rate.Buckets;
import org.svcmailbox.core.rate.Buckets.Limit;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.AccessAnswer.Blocked;
import org.svcmailbox.core.rendezvous.AccessAnswer.Forbidden;
import org.svcmailbox.core.rendezvous.AccessAnswer.Granted;
import org.svcmailbox.core.rendezvous.AccessAnswer.Limited;
import org.svcmailbox.core.rendezvous.AccessAnswer.Unauthorized;
import org.svcmailbox.core.rendezvous.AccessAnswer.Unavailable;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.access.CheckedToken.Exhausted;
import org.svcmailbox.core.rendezvous.access.CheckedToken.Missing;
import org.svcmailbox.core.rendezvous.access.CheckedToken.Passed;
import org.svcmailbox.core.rendezvous.access.CheckedToken.Refused;
import org.svcmailbox.core.rendezvous.access.CheckedToken.Unknown;

/**
 * Admits requests. Some tokens carry a rate of their own, so the token is checked before the
 * request is counted. The answer still names the first failed check: block list, rate, token. Any
 * thread.
 */
final class AccessControl {
  static final int MAX_BUCKETS = 100_000;

  private static final int SECONDS_PER_MINUTE = 60;

  private record Counted(InetAddress client, Right right) {}

  private record Compiled(AccessRules rules, AddressSet allow, AddressSet block) {
    static Compiled of(AccessRules rules) {
      return new Compiled(rules, new AddressSet(rules.allow()), new AddressSet(rules.block()));
    }
  }

  private final TokenCheck check;
  private final Predicate<InetAddress> hasMostWaiting;
  private final int ipv6Prefix;
  private final Supplier<Duration> retryAfter;
  private final Buckets<Counted> buckets;
  private volatile Compiled rules;

  /**
   * @param nanos a monotonic clock
   */
  AccessControl(
      AccessRules rules,
      TokenCheck check,
      Predicate<InetAddress> hasMostWaiting,
      int ipv6Prefix,
      LongSupplier nanos,
      Supplier<Duration> retryAfter) {
    this.rules = Compiled.of(rules);
    this.check = check;
    this.hasMostWaiting = hasMostWaiting;
    this.ipv6Prefix = ipv6Prefix;
    this.retryAfter = retryAfter;
    this.buckets = new Buckets<>(MAX_BUCKETS, nanos);
  }

  AccessRules rules() {
    return rules.rules();
  }

  void setRules(AccessRules replacement) {
    rules = Compiled.of(replacement);
  }

  AccessAnswer admit(AccessRequest request) {
    Compiled current = rules;
    InetAddress address = request.address();
    if (current.block().contains(address)) {
      return new Blocked();
    }
    InetAddress client = current.allow().contains(address) ? null : client(address);
    CheckedToken checked = check.check(request);
    return limit(current.rules(), client, request, checked)
        .<AccessAnswer>map(Limited::new)
        .orElseGet(() -> answer(client, checked));
  }

  private static AccessAnswer answer(@Nullable InetAddress client, CheckedToken checked) {
    if (checked instanceof Passed passed) {
      return new Granted(new Access(client, passed.isValid()));
    }
    if (checked instanceof Missing) {
      return new Unauthorized();
    }
    return checked instanceof Unknown ? new Unavailable() : new Forbidden();
  }

  private Optional<Duration> limit(
      AccessRules current,
      @Nullable InetAddress client,
      AccessRequest request,
      CheckedToken checked) {
    if (checked instanceof Exhausted exhausted) {
      return Optional.of(exhausted.retryAfter());
    }
    if (client == null) {
      return Optional.empty();
    }
    Optional<Duration> wait =
        isCounted(checked)
            ? Optional.empty()
            : count(current, new Counted(client, request.right()));
    return wait.isEmpty() && request.waits() && hasMostWaiting.test(client)
        ? Optional.of(retryAfter.get())
        : wait;
  }

  private static boolean isCounted(CheckedToken checked) {
    return (checked instanceof Passed passed && passed.isCounted())
        || (checked instanceof Refused refused && refused.isCounted());
  }

  private Optional<Duration> count(AccessRules current, Counted counted) {
    long rate = counted.right() == Right.POST ? current.postsPerMinute() : current.getsPerMinute();
    if (rate == 0) {
      return Optional.empty();
    }
    long calls = Math.max(1, rate * current.windowSeconds() / SECONDS_PER_MINUTE);
    Duration period = Duration.ofMinutes(calls).dividedBy(rate);
    return buckets.take(
        AddressBlock.network(counted.client()),
        List.of(new Limit<>(counted, Math.toIntExact(calls), period)));
  }

  private @Nullable InetAddress client(@Nullable InetAddress address) {
    return address instanceof Inet6Address ? AddressSet.cut(address, ipv6Prefix) : address;
  }

  long counted() {
    return buckets.size();
  }
}
