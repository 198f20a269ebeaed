package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.ejb.store.Transactions.Work;

/**
 * The look at a batch's keys. In SQL, because a list parameter of JPQL is translated anew at every
 * call, which costs more than the query; in ten lengths, so that ten prepared statements do.
 */
final class FindKeys implements Work<List<Object[]>, RuntimeException> {
  private static final int MAX_LENGTH = 512;

  /** The query for one key, two, four, and so on up to {@link #MAX_LENGTH}. */
  private static final List<String> QUERIES =
      IntStream.iterate(1, length -> length <= MAX_LENGTH, length -> length * 2)
          .mapToObj(FindKeys::query)
          .toList();

  private final List<UUID> keys;

  FindKeys(Collection<IdempotencyKey> keys) {
    this.keys = keys.stream().map(Ids::of).toList();
  }

  private static String query(int length) {
    return "select key_hash, msg_id, payload_hash, expires_at from idempotency where key_hash in ("
        + String.join(", ", Collections.nCopies(length, "?"))
        + ")";
  }

  /** Returns the rows' columns, as {@link IdempotencyEntity#COLUMNS} has them. */
  @Override
  public List<Object[]> run(EntityManager em) {
    List<Object[]> rows = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += MAX_LENGTH) {
      rows.addAll(rows(em, keys.subList(from, Math.min(keys.size(), from + MAX_LENGTH))));
    }
    return rows;
  }

  @SuppressWarnings("unchecked") // the result set mapping has several columns
  private static List<Object[]> rows(EntityManager em, List<UUID> some) {
    int power = Integer.SIZE - Integer.numberOfLeadingZeros(some.size() - 1);
    Query query = em.createNativeQuery(QUERIES.get(power), IdempotencyEntity.COLUMNS);
    for (int i = 0; i < 1 << power; i++) {
      query.setParameter(i + 1, some.get(Math.min(i, some.size() - 1)));
    }
    return query.getResultList();
  }
}
