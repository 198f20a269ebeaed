package org.svcmailbox.core.capability.caveat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.svcmailbox.capability.Access;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.capability.Condition;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.RootKey;

/** A genuine macaroon and its caveats, each of which can deny a call. Immutable. */
public final class VerifiedCapability {
  /** The most rates, and the most ceilings of leases, of one capability; more deny every call. */
  public static final int MOST_COUNTED = 8;

  private final CapabilityId id;
  private final List<String> texts;
  private final List<Condition> conditions;
  private final List<Quota<Condition.Rate>> rates;
  private final LeaseHolder holder;
  private final boolean hasTooMany;

  private VerifiedCapability(CapabilityId id, List<String> texts) {
    this.id = id;
    this.texts = texts;
    this.conditions = texts.stream().map(text -> Caveat.read(text).condition()).toList();
    this.rates = quotas(id, texts, conditions, Condition.Rate.class);
    this.holder = new LeaseHolder(id, quotas(id, texts, conditions, Condition.MaxInflight.class));
    this.hasTooMany =
        hasTooMany(conditions, Condition.Rate.class)
            || hasTooMany(conditions, Condition.MaxInflight.class);
  }

  private static boolean hasTooMany(List<Condition> conditions, Class<? extends Condition> kind) {
    return conditions.stream().filter(kind::isInstance).count() > MOST_COUNTED;
  }

  private static <C extends Condition.Counted> List<Quota<C>> quotas(
      CapabilityId id, List<String> texts, List<Condition> conditions, Class<C> kind) {
    List<Quota<C>> found = new ArrayList<>();
    for (int i = 0; i < conditions.size() && found.size() < MOST_COUNTED; i++) {
      if (kind.isInstance(conditions.get(i))) {
        found.add(Quota.of(id, texts.subList(0, i + 1), kind.cast(conditions.get(i))));
      }
    }
    return List.copyOf(found);
  }

  /** Reads the caveats of a macaroon that was minted with {@code key}; empty for any other. */
  public static Optional<VerifiedCapability> of(Macaroon macaroon, CapabilityId id, RootKey key) {
    return macaroon.isMintedWith(key)
        ? Optional.of(new VerifiedCapability(id, macaroon.caveats()))
        : Optional.empty();
  }

  public CapabilityId id() {
    return id;
  }

  public List<String> caveats() {
    return texts;
  }

  /** Every reason to deny {@code access}; empty if it is permitted. */
  public Stream<Denial> denials(Access access) {
    return Stream.concat(
        hasTooMany ? Stream.of(Denial.TOO_MANY_CAVEATS) : Stream.empty(),
        conditions.stream().filter(each -> !each.allows(access)).map(Denial::of));
  }

  public boolean hasTooMany() {
    return hasTooMany;
  }

  /** At most {@link #MOST_COUNTED}, in the order in which they were added. */
  public List<Quota<Condition.Rate>> rates() {
    return rates;
  }

  public List<Quota<Condition.MaxInflight>> ceilings() {
    return holder.ceilings();
  }

  /** The part that leases keep. */
  public LeaseHolder holder() {
    return holder;
  }

  /** Empty if the capability never expires. */
  public Optional<Instant> expires() {
    return conditions.stream()
        .filter(Condition.Expires.class::isInstance)
        .map(condition -> ((Condition.Expires) condition).end())
        .min(Instant::compareTo);
  }

  @Override
  public String toString() {
    return "VerifiedCapability[id=" + id + ", caveats=" + texts + "]";
  }
}
