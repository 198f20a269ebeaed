package org.svcmailbox.core.capability;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a genuine macaroon allows: all that none of its caveats denies. Made only of macaroons whose
 * chain was checked.
 */
public final class Capability {
  private final CapabilityId id;
  private final List<Caveat> caveats;

  private Capability(CapabilityId id, List<Caveat> caveats) {
    this.id = id;
    this.caveats = caveats;
  }

  /**
   * The capability that a macaroon is, when it was minted with {@code key}; its caveats are read
   * only then.
   */
  static Optional<Capability> of(Macaroon macaroon, CapabilityId id, RootKey key) {
    return macaroon.isMintedWith(key)
        ? Optional.of(
            new Capability(id, macaroon.caveats().stream().map(CaveatText::read).toList()))
        : Optional.empty();
  }

  /** Which key and which capability it was minted as. */
  public CapabilityId id() {
    return id;
  }

  /** Why it does not cover {@code access}; empty when it does. */
  public Optional<Denial> denial(Access access) {
    return caveats.stream().flatMap(caveat -> caveat.denial(access).stream()).findFirst();
  }

  /** Every rate that has to be kept. */
  public List<Caveat.Rate> rates() {
    return caveats.stream()
        .filter(Caveat.Rate.class::isInstance)
        .map(Caveat.Rate.class::cast)
        .toList();
  }

  /** The most leases at once; empty when it sets no bound. */
  public Optional<Integer> maxInflight() {
    return caveats.stream()
        .filter(Caveat.MaxInflight.class::isInstance)
        .map(caveat -> ((Caveat.MaxInflight) caveat).leases())
        .min(Integer::compare);
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
    return "Capability[id=" + id + ", caveats=" + caveats + "]";
  }
}
