package org.svcmailbox.bench.outbox;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.svcmailbox.bench.machine.PeerClasses;

/**
 * The transaction-outbox of gruelbox, unordered and with its defaults except for the executor.
 * Called by reflection: {@code bench/gruelbox/pom.xml} keeps it off every class path, because it
 * brings {@code javax.validation} and an old Hibernate Validator.
 */
final class Gruelbox {
  private static final Path LIBRARY = Path.of("bench/target/gruelbox/lib");
  private static final String NAME = "com.gruelbox.transactionoutbox.";

  private final Object transactions;
  private final Object outbox;
  private final Class<?> workType;
  private final Method inTransaction;
  private final Method connection;
  private final Method schedule;
  private final Method flush;

  /** The scheduled call. */
  interface Orders {
    void placed(String json);
  }

  /** Statements of the caller in the same transaction. */
  interface Own {
    void in(Connection connection) throws SQLException;
  }

  /**
   * Creates the table.
   *
   * @param executor runs committed and flushed calls
   * @param orders target of the calls
   */
  Gruelbox(DataSource source, Executor executor, Orders orders)
      throws IOException, ReflectiveOperationException {
    ClassLoader classes = PeerClasses.in(LIBRARY);
    Class<?> managerType = classes.loadClass(NAME + "TransactionManager");
    Class<?> transactionType = classes.loadClass(NAME + "Transaction");
    Class<?> outboxType = classes.loadClass(NAME + "TransactionOutbox");
    workType = classes.loadClass(NAME + "TransactionalWork");
    transactions = managerType.getMethod("fromDataSource", DataSource.class).invoke(null, source);
    outbox = build(classes, outboxType, executor, orders);
    inTransaction = managerType.getMethod("inTransaction", workType);
    connection = transactionType.getMethod("connection");
    schedule = outboxType.getMethod("schedule", Class.class);
    flush = outboxType.getMethod("flush");
  }

  private Object build(ClassLoader classes, Class<?> outboxType, Executor executor, Orders orders)
      throws ReflectiveOperationException {
    Class<?> managerType = classes.loadClass(NAME + "TransactionManager");
    Class<?> dialect = classes.loadClass(NAME + "Dialect");
    Class<?> persistor = classes.loadClass(NAME + "Persistor");
    Class<?> submitter = classes.loadClass(NAME + "Submitter");
    Class<?> instantiator = classes.loadClass(NAME + "Instantiator");
    Class<?> builder = classes.loadClass(NAME + "TransactionOutbox$TransactionOutboxBuilder");
    Object table =
        persistor
            .getMethod("forDialect", dialect)
            .invoke(null, dialect.getField("POSTGRESQL_9").get(null));
    Object runner = submitter.getMethod("withExecutor", Executor.class).invoke(null, executor);
    Object instances =
        implement(
            instantiator,
            (proxy, method, arguments) -> method.getName().equals("getName") ? "orders" : orders);
    Object made = outboxType.getMethod("builder").invoke(null);
    builder.getMethod("transactionManager", managerType).invoke(made, transactions);
    builder.getMethod("persistor", persistor).invoke(made, table);
    builder.getMethod("submitter", submitter).invoke(made, runner);
    builder.getMethod("instantiator", instantiator).invoke(made, instances);
    return builder.getMethod("build").invoke(made);
  }

  private static Object implement(Class<?> type, InvocationHandler handler) {
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
  }

  /** Commits the statements of the caller and a scheduled call in one transaction. */
  void transact(Own own, String json) throws ReflectiveOperationException {
    Object work =
        implement(
            workType,
            (proxy, method, arguments) -> {
              own.in((Connection) connection.invoke(arguments[0]));
              ((Orders) schedule.invoke(outbox, Orders.class)).placed(json);
              return null;
            });
    inTransaction.invoke(transactions, work);
  }

  /** Hands the next batch of rows to the executor and returns whether there were any. */
  boolean flush() throws ReflectiveOperationException {
    return (boolean) flush.invoke(outbox);
  }
}
