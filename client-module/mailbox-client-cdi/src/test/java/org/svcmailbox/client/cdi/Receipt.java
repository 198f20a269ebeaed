package org.svcmailbox.client.cdi;

record Receipt(String text) {}
