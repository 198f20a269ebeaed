package org.svcmailbox.client.cdi;

record Order(String what) {}
