package org.svcmailbox.outbox.jpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.jdbc.Database;
import org.svcmailbox.outbox.jdbc.OutboxSchema;
import org.svcmailbox.outbox.jdbc.SharedPostgres;

/** An application's entity manager, by Hibernate, which is WildFly's provider. */
class JpaOutboxTest {
  private static final DataSource POSTGRES = SharedPostgres.database("jpa");
  private static JdbcDataSource h2;

  @BeforeAll
  static void start() {
    h2 = new JdbcDataSource();
    h2.setUrl("jdbc:h2:mem:jpa;DB_CLOSE_DELAY=-1");
  }

  /** A database, and the data source of it. */
  record Kind(Database database, DataSource source) {
    @Override
    public String toString() {
      return database.name();
    }
  }

  static Stream<Kind> kinds() {
    return Stream.of(new Kind(Database.POSTGRESQL, POSTGRES), new Kind(Database.H2, h2));
  }

  private interface Work {
    void with(EntityManager entities, JpaOutbox outbox);
  }

  private static void open(Kind kind, Work work) {
    OutboxSchema.migrate(kind.source());
    Map<String, Object> settings = Map.of("jakarta.persistence.nonJtaDataSource", kind.source());
    try (EntityManagerFactory factory =
            Persistence.createEntityManagerFactory("application", settings);
        EntityManager entities = factory.createEntityManager()) {
      work.with(entities, new JpaOutbox(entities, kind.database()));
    }
  }

  private static long count(EntityManager entities, NewEvent event) {
    return ((Number)
            entities
                .createNativeQuery(
                    "SELECT COUNT(*) FROM outbox_events WHERE CAST(id AS VARCHAR) = ?1")
                .setParameter(1, event.id().toString())
                .getSingleResult())
        .longValue();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anEventIsThereIfTheTransactionCommits(Kind kind) {
    NewEvent bare = NewEvent.of("order", "1", "paid", "{\"a\": 1}");
    NewEvent full =
        NewEvent.of("order", "1", "paid", "[]")
            .withCorrelation(UUID.randomUUID(), UUID.randomUUID())
            .withTrace(
                new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", null));
    NewEvent lost = NewEvent.of("order", "1", "paid", "1");
    open(
        kind,
        (entities, outbox) -> {
          entities.getTransaction().begin();
          assertEquals(bare.id(), outbox.record(bare));
          outbox.record(full);
          entities.getTransaction().commit();
          entities.getTransaction().begin();
          outbox.record(lost);
          entities.getTransaction().rollback();
          assertEquals(1, count(entities, bare));
          assertEquals(1, count(entities, full));
          assertEquals(0, count(entities, lost));
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void withoutATransactionNothingIsRecorded(Kind kind) {
    NewEvent event = NewEvent.of("order", "1", "paid", "1");
    open(
        kind,
        (entities, outbox) -> {
          OutboxException e = assertThrows(OutboxException.class, () -> outbox.record(event));
          assertEquals(ErrorCode.NO_TRANSACTION, e.code());
          assertEquals(0, count(entities, event));
        });
  }
}
