/** Begründungen des Servers, die eine eigene Form haben: die häufigsten, die Redakteure und Verwalter zu sehen bekommen. */
export const sentences: { readonly [said: string]: string } = {
  // Inhalte
  'Expected a new name but "%{1}" exists already': 'Den Namen „%{1}“ gibt es schon.',
  'Expected a row of "%{1}" that belongs to this item but received %{2}':
    'Der Eintrag %{2} von „%{1}“ gehört nicht zu diesem Eintrag.',
  'The rows of "%{1}" have no key, so that none can be named':
    'Die Einträge von „%{1}“ haben keinen Schlüssel; darum lässt sich keiner benennen.',
  'A trigger or rule of the database rejects the change': 'Eine Regel der Datenbank lehnt die Änderung ab.',
  'A value breaks a condition of the database': 'Ein Wert verletzt eine Bedingung der Datenbank.',
  'The change conflicts with a concurrent change': 'Jemand hat zugleich etwas geändert; versuchen Sie es noch einmal.',
  'The schema has changed during the request':
    'Das Datenmodell hat sich gerade geändert; versuchen Sie es noch einmal.',
  'The item has a version of this key already': 'Der Eintrag hat schon eine Version mit diesem Schlüssel.',
  'The item has changed since it was compared: expected its present "mainHash"':
    'Der Eintrag hat sich geändert, seit er verglichen wurde; vergleichen Sie noch einmal.',
  'The revision holds no state of its item': 'Diese Fassung enthält keinen Stand des Eintrags.',
  // Dateien
  'No file was uploaded': 'Es wurde keine Datei hochgeladen.',
  'Only one file is allowed': 'Es ist nur eine Datei möglich.',
  'An empty file is not allowed': 'Die Datei ist leer.',
  'The storage is full': 'Der Speicher ist voll.',
  'The file could not be stored': 'Die Datei konnte nicht gespeichert werden.',
  'The contents of the file are being changed': 'Der Inhalt der Datei wird gerade geändert.',
  'The address is not allowed': 'Diese Adresse ist nicht erlaubt.',
  'Expected an image that can be read and transformed but received other or damaged contents':
    'Die Datei ist kein lesbares Bild, oder sie ist beschädigt.',
  'Expected letters, digits, dots, dashes and single underscores for "%{1}"':
    'Erlaubt sind Buchstaben, Ziffern, Punkte, Striche und einzelne Unterstriche für „%{1}“.',
  // Einlesen
  'Expected %{1} cells but received %{2}': 'Die Zeile hat %{2} Zellen statt %{1}.',
  'Expected each column once but received "%{1}" twice': 'Die Spalte „%{1}“ kommt zweimal vor.',
  'Expected each field once but received "%{1}" twice': 'Das Feld „%{1}“ kommt zweimal vor.',
  'Expected a name for each column': 'Jede Spalte braucht einen Namen.',
  'Expected a closing quote': 'Ein Anführungszeichen wird nicht geschlossen.',
  'Expected text in UTF-8': 'Die Datei ist kein Text in UTF-8.',
  'Expected the primary key "%{1}" in each item': 'Jeder Eintrag braucht den Schlüssel „%{1}“.',
  // Datenmodell
  'Expected one primary key for "%{1}" but received %{2}': '„%{1}“ braucht genau einen Schlüssel; gekommen: %{2}',
  'Expected no default for "%{1}", which counts up': '„%{1}“ zählt selbst hoch und hat keinen Vorgabewert.',
  'Expected a field without a relation but "%{1}" has one already': '„%{1}“ hat schon eine Verknüpfung.',
  'Expected a field of type "%{1}", as the key of "%{2}" is':
    'Das Feld muss die Art „%{1}“ haben, wie der Schlüssel von „%{2}“.',
  'Expected an action other than SET NULL: "%{1}" cannot be null':
    '„%{1}“ darf nicht leer sein; darum kann es beim Löschen nicht geleert werden.',
  'Expected a group that is not "%{1}" itself or within it': '„%{1}“ kann nicht in sich selbst liegen.',
  'Expected another field than "%{1}", which is a primary key':
    '„%{1}“ ist der Schlüssel; wählen Sie ein anderes Feld.',
  // Rechte und Konten
  'The last administrator cannot lose its rights': 'Der letzte Administrator muss seine Rechte behalten.',
  'A public policy cannot have admin access': 'Eine öffentliche Richtlinie kann keine Rechte der Verwaltung geben.',
  'The Administrator and Public roles cannot be deleted':
    'Die Rollen Administrator und Public lassen sich nicht löschen.',
  'A webhook can be sent only what its writer may read': 'Ein Webhook bekommt nur, was Sie selbst lesen dürfen.',
  'Only administrators change the user or the role of a webhook':
    'Nur Administratoren ändern Benutzer oder Rolle eines Webhooks.',
  'Expected addresses, ranges or networks for "%{1}" but received %{2}':
    'Erwartet: Adressen, Bereiche oder Netze für „%{1}“; gekommen: %{2}',
  'Expected a user without a second factor': 'Der zweite Faktor ist schon eingerichtet.',
  'Expected a "secret" that was generated for this user lately':
    'Der Schlüssel des zweiten Faktors gilt nicht mehr; beginnen Sie noch einmal.',
  'The mail server rejects the configured settings': 'Der Mailserver lehnt die Einstellungen ab.',
  // Dienste
  'The database is too busy to answer': 'Die Datenbank ist überlastet; versuchen Sie es gleich noch einmal.',
  'The server is too busy to answer': 'Der Server ist überlastet; versuchen Sie es gleich noch einmal.',
  'The database cannot be reached': 'Die Datenbank ist nicht erreichbar.',
  'No connection to the database is free':
    'Keine Verbindung zur Datenbank ist frei; versuchen Sie es gleich noch einmal.',
}
