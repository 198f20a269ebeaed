package org.svcmailbox.ejb.pair;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.settings.StoreSetting;

/** Decides from their ids whether a database and a broker are a pair. Pure. */
record Pairing(DatabaseMark.Content database, BrokerMark.Content broker) {
  /** Stands for the id of a store that bears none. */
  private static final String UNMARKED = "unmarked";

  /** The id that both have, or will have once an interrupted mark is completed; empty if none. */
  Optional<PairId> common() {
    return Optional.ofNullable(database.next())
        .filter(broker.ids()::contains)
        .or(() -> Optional.ofNullable(database.id()).filter(broker.ids()::contains));
  }

  /**
   * Whether they may become a pair: neither ever belonged to another, or an operator allowed it.
   *
   * @param join the name that the operator set
   */
  boolean mayBegin(Optional<String> join) {
    return isNew() || join.filter(name()::equals).isPresent();
  }

  /** A used database had a broker, which is not this one if no worker ever used it. */
  private boolean isNew() {
    boolean isMarked = database.id() != null || !broker.ids().isEmpty();
    return !isMarked && (broker.wasUsed() || !database.wasUsed());
  }

  /** Whether both have {@code id} and no other. */
  boolean isComplete(PairId id) {
    return id.equals(database.id()) && broker.ids().equals(Set.of(id));
  }

  /** The refusal of stores that are no pair, with the way out. */
  PairException refusal() {
    return new PairException(
        ("The database bears the id %s and the broker in the data directory bears %s: they do not"
                + " belong together, and nothing was changed. Start the server with the database"
                + " and the data directory of one installation; to join these two on purpose,"
                + " start it once with %s=%s")
            .formatted(text(database.id()), brokerText(), StoreSetting.JOIN.key(), name()));
  }

  /** The operators' name for the two: the database's id, or else the broker's. */
  private String name() {
    PairId id = database.id();
    return id != null ? id.text() : brokerText();
  }

  private String brokerText() {
    return broker.ids().isEmpty()
        ? UNMARKED
        : broker.ids().stream().map(PairId::text).sorted().collect(Collectors.joining("+"));
  }

  private static String text(@Nullable PairId id) {
    return id == null ? UNMARKED : id.text();
  }
}
