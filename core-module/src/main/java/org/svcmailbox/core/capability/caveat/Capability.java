package org.svcmailbox.core.capability.caveat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.svcmailbox.core.capability.macaroon.Macaroon;
import org.svcmailbox.core.capability.macaroon.RootKey;

/** A genuine macaroon and its caveats, each of which can deny a call. Immutable. */
public final class Capability {
  /** Rates, and numbers of leases, that one capability may have; more deny every call. */
  public static final int MOST_COUNTED = 8;

  private final CapabilityId id;
  private final List<String> texts;
  private final List<Caveat> caveats;
  private final List<Quota<Caveat.Rate>> rates;
  private final LeaseHolder holder;
  private final boolean hasTooMany;

  private Capability(CapabilityId id, List<String> texts) {
    this.id = id;
    this.texts = texts;
    this.caveats = texts.stream().map(CaveatText::read).toList();
    this.rates = quotas(id, texts, caveats, Caveat.Rate.class);
    this.holder = new LeaseHolder(id, quotas(id, texts, caveats, Caveat.MaxInflight.class));
    this.hasTooMany =
        hasTooMany(caveats, Caveat.Rate.class) || hasTooMany(caveats, Caveat.MaxInflight.class);
  }

  private static boolean hasTooMany(List<Caveat> caveats, Class<? extends Caveat> kind) {
    return caveats.stream().filter(kind::isInstance).count() > MOST_COUNTED;
  }

  private static <C extends Caveat.Counted> List<Quota<C>> quotas(
      CapabilityId id, List<String> texts, List<Caveat> caveats, Class<C> kind) {
    List<Quota<C>> found = new ArrayList<>();
    for (int i = 0; i < caveats.size() && found.size() < MOST_COUNTED; i++) {
      if (kind.isInstance(caveats.get(i))) {
        found.add(Quota.of(id, texts.subList(0, i + 1), kind.cast(caveats.get(i))));
      }
    }
    return List.copyOf(found);
  }

  /** Reads the caveats of a macaroon that was minted with {@code key}; empty for any other. */
  public static Optional<Capability> of(Macaroon macaroon, CapabilityId id, RootKey key) {
    return macaroon.isMintedWith(key)
        ? Optional.of(new Capability(id, macaroon.caveats()))
        : Optional.empty();
  }

  public CapabilityId id() {
    return id;
  }

  public List<String> caveats() {
    return texts;
  }

  /** Every reason to deny {@code access}; empty when it is covered. */
  public Stream<Denial> denials(Access access) {
    return Stream.concat(
        hasTooMany ? Stream.of(Denial.TOO_MANY_CAVEATS) : Stream.empty(),
        caveats.stream().flatMap(caveat -> caveat.denial(access).stream()));
  }

  public boolean hasTooMany() {
    return hasTooMany;
  }

  /** At most {@link #MOST_COUNTED}, in the order in which they were added. */
  public List<Quota<Caveat.Rate>> rates() {
    return rates;
  }

  public List<Quota<Caveat.MaxInflight>> ceilings() {
    return holder.ceilings();
  }

  /** The part that leases keep. */
  public LeaseHolder holder() {
    return holder;
  }

  /** Empty when the capability never expires. */
  public Optional<Instant> expires() {
    return caveats.stream()
        .filter(Caveat.Expires.class::isInstance)
        .map(caveat -> ((Caveat.Expires) caveat).end())
        .min(Instant::compareTo);
  }

  @Override
  public String toString() {
    return "Capability[id=" + id + ", caveats=" + texts + "]";
  }
}
