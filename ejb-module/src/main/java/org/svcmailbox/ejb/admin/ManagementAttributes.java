package org.svcmailbox.ejb.admin;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.JsonUtil;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.ResourceNames;

/** Attributes and settings as the management of the broker tells them. */
public final class ManagementAttributes {
  private static final String ATTRIBUTE_LIMIT = "managementMessageAttributeSizeLimit";

  private final BrokerAdmin broker;

  ManagementAttributes(BrokerAdmin broker) {
    this.broker = broker;
  }

  /** Whether management tells the long properties of an address' messages, and not only a part. */
  public boolean tellsWholeAttributes(String address) {
    return JsonUtil.readJsonObject(addressSettings(address)).getInt(ATTRIBUTE_LIMIT, 0) == -1;
  }

  /** A number among a queue's attributes, 0 where the broker has none to tell. */
  public long number(SimpleString queue, String attribute) {
    return number(ResourceNames.QUEUE + queue, attribute);
  }

  /** The same of anything that is managed. */
  public long number(String resource, String attribute) {
    return broker.ask(
        "ask for " + attribute + " of " + resource,
        session -> {
          Object value = broker.attribute(resource, attribute);
          return value instanceof Number number ? number.longValue() : 0L;
        });
  }

  /** The percentage of its disk that the broker sees in use. */
  public double diskUsage() {
    return broker.ask(
        "ask how full its disk is",
        session ->
            broker.attribute(ResourceNames.BROKER, "DiskStoreUsage") instanceof Number part
                ? 100 * part.doubleValue()
                : 0.0);
  }

  /** Whether something that can be on or off of the whole broker is on. */
  public boolean isOn(String attribute) {
    return broker.ask(
        "ask whether the broker is " + attribute,
        session -> Boolean.TRUE.equals(broker.attribute(ResourceNames.BROKER, attribute)));
  }

  /** A text among the attributes of anything that is managed; empty where the broker has none. */
  public String text(String resource, String attribute) {
    return broker.ask(
        "ask for " + attribute + " of " + resource,
        session ->
            Objects.requireNonNullElse(broker.attribute(resource, attribute), "").toString());
  }

  /** The texts of a list among the attributes; none where the broker has none. */
  public List<String> texts(String resource, String attribute) {
    return broker.ask(
        "ask for " + attribute + " of " + resource,
        session ->
            broker.attribute(resource, attribute) instanceof Object[] texts
                ? Arrays.stream(texts).map(Object::toString).toList()
                : List.of());
  }

  /** The settings that hold for an address, as the broker's own JSON. */
  public String addressSettings(String address) {
    return broker.ask(
        "read the settings of " + address,
        session ->
            String.valueOf(
                broker.manage(ResourceNames.BROKER, "getAddressSettingsAsJSON", address)));
  }
}
