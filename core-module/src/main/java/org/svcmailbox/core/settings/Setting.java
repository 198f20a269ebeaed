package org.svcmailbox.core.settings;

import java.util.function.Function;

/**
 * One setting: its key, the form of its values and its default. {@link SettingTable} has all of
 * them, and docs/SETTINGS.md explains them.
 *
 * @param <T> its values
 */
public final class Setting<T> {
  public static final String PREFIX = "mailbox.";

  private final String name;
  private final Form<T> form;
  private final String shownDefault;
  private final Function<Deployment, T> byDefault;

  Setting(String name, Form<T> form, String shownDefault, Function<Deployment, T> byDefault) {
    this.name = name;
    this.form = form;
    this.shownDefault = shownDefault;
    this.byDefault = byDefault;
  }

  public String key() {
    return PREFIX + name;
  }

  /** The default, as in the documented table. */
  public String byDefault() {
    return shownDefault;
  }

  /** The allowed values, as in the documented table. */
  public String bounds() {
    return form.bounds();
  }

  Form<T> form() {
    return form;
  }

  T defaultOn(Deployment deployment) {
    return byDefault.apply(deployment);
  }
}
