package org.svcmailbox.ejb.pair;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.Optional;
import org.svcmailbox.core.settings.StoreSetting;

/**
 * The two stores of a server. {@link #require} decides whether they belong together and writes
 * nothing. {@link #mark} writes the missing ids, in steps after each of which a crash does no harm.
 */
public final class Pair {
  private static final Logger LOG = System.getLogger(Pair.class.getName());

  private final DatabaseMark database;
  private final BrokerMark broker;

  public Pair(DatabaseMark database, BrokerMark broker) {
    this.database = database;
    this.broker = broker;
  }

  /**
   * The id for both stores. It is new whenever they become a pair, also by a deliberate join. So a
   * leftover setting permits nothing more, and a copy of either half no longer fits the other.
   *
   * @param join the name that an operator set to join them; empty for none
   * @throws PairException when they do not belong together
   */
  public PairId require(Optional<String> join) throws SQLException {
    Pairing pairing = new Pairing(database.read(), broker.read());
    Optional<PairId> common = pairing.common();
    if (common.isPresent()) {
      join.ifPresent(name -> warn());
      return common.get();
    }
    if (!pairing.mayBegin(join)) {
      throw pairing.refusal();
    }
    return PairId.random();
  }

  private static void warn() {
    LOG.log(
        Level.WARNING,
        "{0} is set, and database and broker are a pair already; remove the setting",
        StoreSetting.JOIN.key());
  }

  /**
   * Gives both stores the id, and removes every other id from the broker. The database must have
   * its tables.
   */
  public void mark(PairId id) throws SQLException {
    BrokerMark.Content before = broker.read();
    if (new Pairing(database.read(), before).isComplete(id)) {
      return;
    }
    database.announce(id);
    broker.add(id);
    before.ids().stream().filter(other -> !other.equals(id)).forEach(broker::remove);
    database.take(id);
    LOG.log(Level.INFO, "Database and broker are the pair {0} now", id);
  }
}
