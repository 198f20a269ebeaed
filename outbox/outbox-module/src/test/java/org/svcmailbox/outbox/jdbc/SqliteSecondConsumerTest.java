package org.svcmailbox.outbox.jdbc;

/** The contract with a consumer that is not the first of its database. */
class SqliteSecondConsumerTest extends SqliteInboxTest {
  @Override
  protected String firstConsumer() {
    return "first";
  }
}
