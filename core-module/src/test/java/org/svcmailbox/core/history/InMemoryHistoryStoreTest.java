package org.svcmailbox.core.history;

class InMemoryHistoryStoreTest implements HistoryStoreContract {
  private final HistoryStore store = new InMemoryHistoryStore();

  @Override
  public HistoryStore store() {
    return store;
  }
}
