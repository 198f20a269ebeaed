package org.svcmailbox.core.deadletter;

class NaiveLetterIndexTest implements LetterIndexContract {
  private final NaiveLetterIndex index = new NaiveLetterIndex();

  @Override
  public LetterIndex index() {
    return index;
  }

  @Override
  public void age(LetterPosition position) {
    index.age(position);
  }
}
