/** Icons that can be chosen, by the names that the font of Material Design gives them. */

import type { SvgIconComponent } from '@mui/icons-material'
import AccountBalance from '@mui/icons-material/AccountBalanceOutlined'
import AddCircle from '@mui/icons-material/AddCircleOutlined'
import AddPhotoAlternate from '@mui/icons-material/AddPhotoAlternateOutlined'
import AdminPanelSettings from '@mui/icons-material/AdminPanelSettingsOutlined'
import Alarm from '@mui/icons-material/AlarmOutlined'
import Apartment from '@mui/icons-material/ApartmentOutlined'
import Api from '@mui/icons-material/ApiOutlined'
import Archive from '@mui/icons-material/ArchiveOutlined'
import Article from '@mui/icons-material/ArticleOutlined'
import Assignment from '@mui/icons-material/AssignmentOutlined'
import AttachFile from '@mui/icons-material/AttachFileOutlined'
import Audiotrack from '@mui/icons-material/AudiotrackOutlined'
import AutoStories from '@mui/icons-material/AutoStoriesOutlined'
import Badge from '@mui/icons-material/BadgeOutlined'
import Balance from '@mui/icons-material/BalanceOutlined'
import Biotech from '@mui/icons-material/BiotechOutlined'
import Bolt from '@mui/icons-material/BoltOutlined'
import Bookmark from '@mui/icons-material/BookmarkOutlined'
import Brush from '@mui/icons-material/BrushOutlined'
import Build from '@mui/icons-material/BuildOutlined'
import Business from '@mui/icons-material/BusinessOutlined'
import Cake from '@mui/icons-material/CakeOutlined'
import CalendarMonth from '@mui/icons-material/CalendarMonthOutlined'
import Call from '@mui/icons-material/CallOutlined'
import Campaign from '@mui/icons-material/CampaignOutlined'
import Castle from '@mui/icons-material/CastleOutlined'
import Category from '@mui/icons-material/CategoryOutlined'
import Celebration from '@mui/icons-material/CelebrationOutlined'
import Chat from '@mui/icons-material/ChatOutlined'
import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import Checklist from '@mui/icons-material/ChecklistOutlined'
import Church from '@mui/icons-material/ChurchOutlined'
import Cloud from '@mui/icons-material/CloudOutlined'
import CloudUpload from '@mui/icons-material/CloudUploadOutlined'
import Code from '@mui/icons-material/CodeOutlined'
import Comment from '@mui/icons-material/CommentOutlined'
import Computer from '@mui/icons-material/ComputerOutlined'
import Construction from '@mui/icons-material/ConstructionOutlined'
import CreditCard from '@mui/icons-material/CreditCardOutlined'
import Dashboard from '@mui/icons-material/DashboardOutlined'
import Delete from '@mui/icons-material/DeleteOutlined'
import Description from '@mui/icons-material/DescriptionOutlined'
import Devices from '@mui/icons-material/DevicesOutlined'
import DirectionsBike from '@mui/icons-material/DirectionsBikeOutlined'
import DirectionsBus from '@mui/icons-material/DirectionsBusOutlined'
import DirectionsCar from '@mui/icons-material/DirectionsCarOutlined'
import Dns from '@mui/icons-material/DnsOutlined'
import Done from '@mui/icons-material/DoneOutlined'
import Download from '@mui/icons-material/DownloadOutlined'
import Drafts from '@mui/icons-material/DraftsOutlined'
import Edit from '@mui/icons-material/EditOutlined'
import Email from '@mui/icons-material/EmailOutlined'
import EmojiEvents from '@mui/icons-material/EmojiEventsOutlined'
import EmojiObjects from '@mui/icons-material/EmojiObjectsOutlined'
import Engineering from '@mui/icons-material/EngineeringOutlined'
import Error from '@mui/icons-material/ErrorOutlined'
import Euro from '@mui/icons-material/EuroOutlined'
import Event from '@mui/icons-material/EventOutlined'
import Explore from '@mui/icons-material/ExploreOutlined'
import Face from '@mui/icons-material/FaceOutlined'
import Factory from '@mui/icons-material/FactoryOutlined'
import Favorite from '@mui/icons-material/FavoriteOutlined'
import Feedback from '@mui/icons-material/FeedbackOutlined'
import Feed from '@mui/icons-material/FeedOutlined'
import FilterList from '@mui/icons-material/FilterListOutlined'
import FitnessCenter from '@mui/icons-material/FitnessCenterOutlined'
import Flag from '@mui/icons-material/FlagOutlined'
import Flight from '@mui/icons-material/FlightOutlined'
import FolderOpen from '@mui/icons-material/FolderOpenOutlined'
import Folder from '@mui/icons-material/FolderOutlined'
import FormatQuote from '@mui/icons-material/FormatQuoteOutlined'
import Forum from '@mui/icons-material/ForumOutlined'
import Gavel from '@mui/icons-material/GavelOutlined'
import GridView from '@mui/icons-material/GridViewOutlined'
import Group from '@mui/icons-material/GroupOutlined'
import Groups from '@mui/icons-material/GroupsOutlined'
import Handshake from '@mui/icons-material/HandshakeOutlined'
import HealthAndSafety from '@mui/icons-material/HealthAndSafetyOutlined'
import Help from '@mui/icons-material/HelpOutlined'
import HistoryEdu from '@mui/icons-material/HistoryEduOutlined'
import History from '@mui/icons-material/HistoryOutlined'
import Home from '@mui/icons-material/HomeOutlined'
import Hotel from '@mui/icons-material/HotelOutlined'
import Image from '@mui/icons-material/ImageOutlined'
import Inbox from '@mui/icons-material/InboxOutlined'
import Info from '@mui/icons-material/InfoOutlined'
import Inventory from '@mui/icons-material/InventoryOutlined'
import Key from '@mui/icons-material/KeyOutlined'
import Label from '@mui/icons-material/LabelOutlined'
import Language from '@mui/icons-material/LanguageOutlined'
import LibraryBooks from '@mui/icons-material/LibraryBooksOutlined'
import Lightbulb from '@mui/icons-material/LightbulbOutlined'
import Link from '@mui/icons-material/LinkOutlined'
import List from '@mui/icons-material/ListOutlined'
import LocalBar from '@mui/icons-material/LocalBarOutlined'
import LocalCafe from '@mui/icons-material/LocalCafeOutlined'
import LocalHospital from '@mui/icons-material/LocalHospitalOutlined'
import LocalShipping from '@mui/icons-material/LocalShippingOutlined'
import LocationOn from '@mui/icons-material/LocationOnOutlined'
import Lock from '@mui/icons-material/LockOutlined'
import Mail from '@mui/icons-material/MailOutlined'
import ManageAccounts from '@mui/icons-material/ManageAccountsOutlined'
import Map from '@mui/icons-material/MapOutlined'
import MedicalServices from '@mui/icons-material/MedicalServicesOutlined'
import MenuBook from '@mui/icons-material/MenuBookOutlined'
import Mic from '@mui/icons-material/MicOutlined'
import Movie from '@mui/icons-material/MovieOutlined'
import Museum from '@mui/icons-material/MuseumOutlined'
import MusicNote from '@mui/icons-material/MusicNoteOutlined'
import Nature from '@mui/icons-material/NatureOutlined'
import Newspaper from '@mui/icons-material/NewspaperOutlined'
import Note from '@mui/icons-material/NoteOutlined'
import Notifications from '@mui/icons-material/NotificationsOutlined'
import Palette from '@mui/icons-material/PaletteOutlined'
import Park from '@mui/icons-material/ParkOutlined'
import Payments from '@mui/icons-material/PaymentsOutlined'
import People from '@mui/icons-material/PeopleOutlined'
import Percent from '@mui/icons-material/PercentOutlined'
import Person from '@mui/icons-material/PersonOutlined'
import Pets from '@mui/icons-material/PetsOutlined'
import Phone from '@mui/icons-material/PhoneOutlined'
import PhotoCamera from '@mui/icons-material/PhotoCameraOutlined'
import PhotoLibrary from '@mui/icons-material/PhotoLibraryOutlined'
import Place from '@mui/icons-material/PlaceOutlined'
import PlayCircle from '@mui/icons-material/PlayCircleOutlined'
import Print from '@mui/icons-material/PrintOutlined'
import Psychology from '@mui/icons-material/PsychologyOutlined'
import Public from '@mui/icons-material/PublicOutlined'
import Publish from '@mui/icons-material/PublishOutlined'
import QrCode from '@mui/icons-material/QrCodeOutlined'
import Receipt from '@mui/icons-material/ReceiptOutlined'
import Restaurant from '@mui/icons-material/RestaurantOutlined'
import RssFeed from '@mui/icons-material/RssFeedOutlined'
import Savings from '@mui/icons-material/SavingsOutlined'
import Schedule from '@mui/icons-material/ScheduleOutlined'
import School from '@mui/icons-material/SchoolOutlined'
import Science from '@mui/icons-material/ScienceOutlined'
import Search from '@mui/icons-material/SearchOutlined'
import Security from '@mui/icons-material/SecurityOutlined'
import Sell from '@mui/icons-material/SellOutlined'
import Send from '@mui/icons-material/SendOutlined'
import Settings from '@mui/icons-material/SettingsOutlined'
import Share from '@mui/icons-material/ShareOutlined'
import Shield from '@mui/icons-material/ShieldOutlined'
import ShoppingBag from '@mui/icons-material/ShoppingBagOutlined'
import ShoppingCart from '@mui/icons-material/ShoppingCartOutlined'
import Smartphone from '@mui/icons-material/SmartphoneOutlined'
import Sort from '@mui/icons-material/SortOutlined'
import SportsSoccer from '@mui/icons-material/SportsSoccerOutlined'
import StarBorder from '@mui/icons-material/StarBorderOutlined'
import Star from '@mui/icons-material/StarOutlined'
import Storage from '@mui/icons-material/StorageOutlined'
import Storefront from '@mui/icons-material/StorefrontOutlined'
import Store from '@mui/icons-material/StoreOutlined'
import SupervisedUserCircle from '@mui/icons-material/SupervisedUserCircleOutlined'
import TableRows from '@mui/icons-material/TableRowsOutlined'
import Task from '@mui/icons-material/TaskOutlined'
import Terminal from '@mui/icons-material/TerminalOutlined'
import TextFields from '@mui/icons-material/TextFieldsOutlined'
import TheaterComedy from '@mui/icons-material/TheaterComedyOutlined'
import ThumbUp from '@mui/icons-material/ThumbUpOutlined'
import Timer from '@mui/icons-material/TimerOutlined'
import Title from '@mui/icons-material/TitleOutlined'
import Train from '@mui/icons-material/TrainOutlined'
import Translate from '@mui/icons-material/TranslateOutlined'
import TravelExplore from '@mui/icons-material/TravelExploreOutlined'
import Tune from '@mui/icons-material/TuneOutlined'
import Unarchive from '@mui/icons-material/UnarchiveOutlined'
import Update from '@mui/icons-material/UpdateOutlined'
import Upload from '@mui/icons-material/UploadOutlined'
import Verified from '@mui/icons-material/VerifiedOutlined'
import VideoLibrary from '@mui/icons-material/VideoLibraryOutlined'
import ViewList from '@mui/icons-material/ViewListOutlined'
import VisibilityOff from '@mui/icons-material/VisibilityOffOutlined'
import Visibility from '@mui/icons-material/VisibilityOutlined'
import VolunteerActivism from '@mui/icons-material/VolunteerActivismOutlined'
import VpnKey from '@mui/icons-material/VpnKeyOutlined'
import Warning from '@mui/icons-material/WarningOutlined'
import WaterDrop from '@mui/icons-material/WaterDropOutlined'
import WbSunny from '@mui/icons-material/WbSunnyOutlined'
import Widgets from '@mui/icons-material/WidgetsOutlined'
import Work from '@mui/icons-material/WorkOutlined'

export const icons: { readonly [name: string]: SvgIconComponent } = {
  account_balance: AccountBalance,
  add_circle: AddCircle,
  add_photo_alternate: AddPhotoAlternate,
  admin_panel_settings: AdminPanelSettings,
  alarm: Alarm,
  apartment: Apartment,
  api: Api,
  archive: Archive,
  article: Article,
  assignment: Assignment,
  attach_file: AttachFile,
  audiotrack: Audiotrack,
  auto_stories: AutoStories,
  badge: Badge,
  balance: Balance,
  biotech: Biotech,
  bolt: Bolt,
  bookmark: Bookmark,
  brush: Brush,
  build: Build,
  business: Business,
  cake: Cake,
  calendar_month: CalendarMonth,
  call: Call,
  campaign: Campaign,
  castle: Castle,
  category: Category,
  celebration: Celebration,
  chat: Chat,
  check_circle: CheckCircle,
  checklist: Checklist,
  church: Church,
  cloud: Cloud,
  cloud_upload: CloudUpload,
  code: Code,
  comment: Comment,
  computer: Computer,
  construction: Construction,
  credit_card: CreditCard,
  dashboard: Dashboard,
  delete: Delete,
  description: Description,
  devices: Devices,
  directions_bike: DirectionsBike,
  directions_bus: DirectionsBus,
  directions_car: DirectionsCar,
  dns: Dns,
  done: Done,
  download: Download,
  drafts: Drafts,
  edit: Edit,
  email: Email,
  emoji_events: EmojiEvents,
  emoji_objects: EmojiObjects,
  engineering: Engineering,
  error: Error,
  euro: Euro,
  event: Event,
  explore: Explore,
  face: Face,
  factory: Factory,
  favorite: Favorite,
  feed: Feed,
  feedback: Feedback,
  filter_list: FilterList,
  fitness_center: FitnessCenter,
  flag: Flag,
  flight: Flight,
  folder: Folder,
  folder_open: FolderOpen,
  format_quote: FormatQuote,
  forum: Forum,
  gavel: Gavel,
  grid_view: GridView,
  group: Group,
  groups: Groups,
  handshake: Handshake,
  health_and_safety: HealthAndSafety,
  help: Help,
  history: History,
  history_edu: HistoryEdu,
  home: Home,
  hotel: Hotel,
  image: Image,
  inbox: Inbox,
  info: Info,
  inventory: Inventory,
  key: Key,
  label: Label,
  language: Language,
  library_books: LibraryBooks,
  lightbulb: Lightbulb,
  link: Link,
  list: List,
  local_bar: LocalBar,
  local_cafe: LocalCafe,
  local_hospital: LocalHospital,
  local_shipping: LocalShipping,
  location_on: LocationOn,
  lock: Lock,
  mail: Mail,
  manage_accounts: ManageAccounts,
  map: Map,
  medical_services: MedicalServices,
  menu_book: MenuBook,
  mic: Mic,
  movie: Movie,
  museum: Museum,
  music_note: MusicNote,
  nature: Nature,
  newspaper: Newspaper,
  note: Note,
  notifications: Notifications,
  palette: Palette,
  park: Park,
  payments: Payments,
  people: People,
  percent: Percent,
  person: Person,
  pets: Pets,
  phone: Phone,
  photo_camera: PhotoCamera,
  photo_library: PhotoLibrary,
  place: Place,
  play_circle: PlayCircle,
  print: Print,
  psychology: Psychology,
  public: Public,
  publish: Publish,
  qr_code: QrCode,
  receipt: Receipt,
  restaurant: Restaurant,
  rss_feed: RssFeed,
  savings: Savings,
  schedule: Schedule,
  school: School,
  science: Science,
  search: Search,
  security: Security,
  sell: Sell,
  send: Send,
  settings: Settings,
  share: Share,
  shield: Shield,
  shopping_bag: ShoppingBag,
  shopping_cart: ShoppingCart,
  smartphone: Smartphone,
  sort: Sort,
  sports_soccer: SportsSoccer,
  star: Star,
  star_border: StarBorder,
  storage: Storage,
  store: Store,
  storefront: Storefront,
  supervised_user_circle: SupervisedUserCircle,
  table_rows: TableRows,
  task: Task,
  terminal: Terminal,
  text_fields: TextFields,
  theater_comedy: TheaterComedy,
  thumb_up: ThumbUp,
  timer: Timer,
  title: Title,
  train: Train,
  translate: Translate,
  travel_explore: TravelExplore,
  tune: Tune,
  unarchive: Unarchive,
  update: Update,
  upload: Upload,
  verified: Verified,
  video_library: VideoLibrary,
  view_list: ViewList,
  visibility: Visibility,
  visibility_off: VisibilityOff,
  volunteer_activism: VolunteerActivism,
  vpn_key: VpnKey,
  warning: Warning,
  water_drop: WaterDrop,
  wb_sunny: WbSunny,
  widgets: Widgets,
  work: Work,
}
