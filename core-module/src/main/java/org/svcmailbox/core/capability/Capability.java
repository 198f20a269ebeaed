package org.svcmailbox.core.capability;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a genuine macaroon allows: all that none of its caveats denies. Made only of macaroons whose
 * chain was checked. Immutable.
 */
public final class Capability {
  private final CapabilityId id;
  private final List<String> texts;
  private final List<Caveat> caveats;
  private final List<Quota<Caveat.Rate>> rates;
  private final List<Quota<Caveat.MaxInflight>> ceilings;

  private Capability(CapabilityId id, List<String> texts) {
    this.id = id;
    this.texts = texts;
    this.caveats = texts.stream().map(CaveatText::read).toList();
    this.rates = quotas(id, texts, caveats, Caveat.Rate.class);
    this.ceilings = quotas(id, texts, caveats, Caveat.MaxInflight.class);
  }

  private static <C extends Caveat.Counted> List<Quota<C>> quotas(
      CapabilityId id, List<String> texts, List<Caveat> caveats, Class<C> kind) {
    List<Quota<C>> found = new ArrayList<>();
    for (int i = 0; i < caveats.size(); i++) {
      if (kind.isInstance(caveats.get(i))) {
        found.add(Quota.of(id, texts.subList(0, i + 1), kind.cast(caveats.get(i))));
      }
    }
    return List.copyOf(found);
  }

  /**
   * The capability that a macaroon is, when it was minted with {@code key}; its caveats are read
   * only then.
   */
  static Optional<Capability> of(Macaroon macaroon, CapabilityId id, RootKey key) {
    return macaroon.isMintedWith(key)
        ? Optional.of(new Capability(id, macaroon.caveats()))
        : Optional.empty();
  }

  /** Which key and which capability it was minted as. */
  public CapabilityId id() {
    return id;
  }

  /** Its caveats as they are written, oldest first. */
  List<String> caveats() {
    return texts;
  }

  /** Every reason why it does not cover {@code access}; none when it does. */
  Stream<Denial> denials(Access access) {
    return caveats.stream().flatMap(caveat -> caveat.denial(access).stream());
  }

  /** Every rate that has to be kept. */
  public List<Quota<Caveat.Rate>> rates() {
    return rates;
  }

  /** Every ceiling on leases held at once that has to be kept. */
  public List<Quota<Caveat.MaxInflight>> ceilings() {
    return ceilings;
  }

  /** When it ends; empty when it does not. */
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
